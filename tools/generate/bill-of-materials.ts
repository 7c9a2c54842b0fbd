// The bill of materials of what is deployed, as CycloneDX. It has no time and no random number, so that a commit has one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../infra/project-root.ts'
import { shippedPackage } from './licence-text.ts'
import type { PackageInUse } from './shipped-packages.ts'

const json = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'))

const urlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Of npm's archive of the package, as the lockfile has it: `sha512-` and the digest in base64. */
function hashesOf(integrity: string): readonly { readonly alg: string; readonly content: string }[] {
  const [, digits, digest = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? []
  if (digits === undefined) throw new Error(`${integrity} is not a hash that the bill of materials knows`)
  return [{ alg: `SHA-${digits}`, content: Buffer.from(digest, 'base64').toString('hex') }]
}

/**
 * The packages of others in the deployed programs, each with the programs that hold it.
 *
 * @throws Error for a package that the lockfile does not have
 */
export function billOfMaterials(packages: readonly PackageInUse[]): object {
  const { name, version, license } = json('package.json')
  const { packages: locked } = json('package-lock.json')
  const shipped = packages.map(({ folder, usedIn }) => ({
    folder,
    usedIn,
    ...shippedPackage(join(projectRoot, folder)),
  }))
  const refs = new Map(shipped.map((each) => [each.name, urlOf(each.name, each.version)]))
  const refsOf = (names: readonly string[]) => names.flatMap((needed) => refs.get(needed) ?? []).sort()
  const own = urlOf(name, version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name, version, licenses: [{ license: { id: license } }] },
    },
    components: shipped.map(({ folder, usedIn, licence, ...component }) => ({
      type: 'library',
      'bom-ref': urlOf(component.name, component.version),
      name: component.name,
      version: component.version,
      hashes: hashesOf(locked[folder].integrity),
      licenses: [{ license: { id: licence } }],
      purl: urlOf(component.name, component.version),
      evidence: { occurrences: usedIn.map((location) => ({ location })) },
    })),
    dependencies: [
      { ref: own, dependsOn: [...refs.values()].sort() },
      ...shipped.map((each) => ({ ref: urlOf(each.name, each.version), dependsOn: refsOf(each.needs) })),
    ],
  }
}
