// The notices of the software of others in what is deployed.
import { join } from 'node:path'
import { noticesFile } from '../../infra/api/bundling.ts'
import { projectRoot } from '../../infra/project-root.ts'
import { type ShippedPackage, shippedPackage } from './licence-text.ts'
import type { PackageInUse } from './shipped-packages.ts'

const ruler = '-'.repeat(80)

const section = (packages: readonly ShippedPackage[]): string =>
  `${packages.map(({ name, version, licence }) => `${name} ${version}, ${licence}`).join('\n')}\n\n${packages[0]?.text}\n`

/** @returns the path of the notices and their text: each package with version and licence, above the licence's text */
export function noticesOf(packages: readonly PackageInUse[]): readonly [path: string, text: string] {
  const byText = Map.groupBy(
    packages.map(({ folder }) => shippedPackage(join(projectRoot, folder))),
    ({ text }) => text,
  )
  const text = [
    'Software of others in the functions of this service. Written by npm run generate.\n',
    ...Array.from(byText.values(), section),
  ].join(`\n${ruler}\n\n`)
  return [noticesFile, text]
}
