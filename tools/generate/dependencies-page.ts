// The table of docs/dependencies.md: the packages of others that ship, where, and what for.
import { join } from 'node:path'
import { projectRoot } from '../../infra/project-root.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf, routeOf } from '../../shared/http/routes.ts'
import { shippedPackage } from './licence-text.ts'
import type { PackageInUse } from './shipped-packages.ts'

/** The purpose of each package that this project chose. The others ship because one of these needs them. */
const purposes: Readonly<Record<string, string>> = {
  '@middy/core': 'middleware; separates the HTTP frame from the endpoint',
  '@middy/validator':
    "runs the endpoint's check: the validator compiled from its contract, and what its declaration says of options and checksums",
  '@middy/http-json-body-parser': 'reads JSON bodies; the text of a 400 follows from its error and the body',
  'graphql-request':
    'the GraphQL client, one for each upstream, over our own transport; bundling replaces `graphql` itself by a stub',
  'fast-xml-parser': 'the contract accepts XML there',
  '@noble/hashes': 'SHA-256, sooner than Node loads its own',
  ajv: 'one function, which counts characters, inside the compiled validators; the compiler itself does not ship',
}

const code = (text: string): string => `\`${text}\``

const fileOf = ({ name }: (typeof endpoints)[number]): string => `functions/${fileNameOf(name)}.ts`

/** The programs in words: all endpoints, all broadcasts, or each by its route or its file. */
function placeOf({ usedIn }: PackageInUse): string {
  const ofEndpoints = endpoints.filter((endpoint) => usedIn.includes(fileOf(endpoint)))
  const others = usedIn.filter((file) => !ofEndpoints.some((endpoint) => fileOf(endpoint) === file))
  const isOfBroadcasts = ofEndpoints.length > 1 && ofEndpoints.every(({ method }) => method === 'POST')
  const broadcasts = endpoints.filter(({ method }) => method === 'POST')
  const inWords =
    ofEndpoints.length === endpoints.length
      ? ['every endpoint']
      : isOfBroadcasts && ofEndpoints.length === broadcasts.length
        ? ['both broadcasts']
        : ofEndpoints.map((endpoint) => code(routeOf(endpoint)))
  return [...inWords, ...others.map(code)].join(', ')
}

/**
 * @param packages as esbuild reports them for everything that is deployed
 * @throws Error for one that has no purpose and that none of the others needs, and for a purpose of one that does not ship
 */
export function dependenciesTable(packages: readonly PackageInUse[]): string {
  const shipped = packages.map((inUse) => ({ ...shippedPackage(join(projectRoot, inUse.folder)), inUse }))
  const idle = Object.keys(purposes).find((name) => !shipped.some((each) => each.name === name))
  if (idle !== undefined) throw new Error(`${idle} has a purpose and does not ship`)
  const rows = shipped.map(({ name, inUse }) => {
    const needing = shipped.filter(({ needs }) => needs.includes(name)).map((each) => code(each.name))
    const purpose = purposes[name] ?? (needing.length > 0 ? `needed by ${needing.join(', ')}` : undefined)
    if (purpose === undefined)
      throw new Error(`${name} ships, and tools/generate/dependencies-page.ts does not say why`)
    return `| ${code(name)} | ${placeOf(inUse)} | ${purpose} |`
  })
  return ['| Package | In | Purpose |', '|---|---|---|', ...rows, ''].join('\n')
}
