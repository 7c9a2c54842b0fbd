// The parts of a function's bundle by their size, so that a bundle that has grown can say what grew.
import { build, type Metafile } from 'esbuild'
import { buildConstants, entryFile, functionBuild } from '../../infra/api/bundling.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'

/** Bytes of the minified bundle by part: a package, a folder of ours, or what esbuild adds. */
export type BundleParts = Readonly<Record<string, number>>

/** As tests build it: with a table of locked supply. */
export const builtTable = 'slot,locked\n0,1.5\n100,7.000000001\n'

/** The functions whose bundles have a budget: those of the endpoints, and that of the docs page. */
export const budgetedFunctions: readonly string[] = [...endpoints.map(({ name }) => name), 'docs']

/** The output of esbuild for a function. */
export const builtFunction = (name: string) =>
  build({
    ...functionBuild(`functions/${fileNameOf(name)}.ts`, '.'),
    define: buildConstants(builtTable),
    metafile: true,
    write: false,
  })

function partOf(path: string): string {
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return packageName ?? path.split('/').slice(0, 2).join('/')
}

type Output = Metafile['outputs'][string]

/** The files that a function loads at its start: without those that it loads by `import()` when it needs them. */
export function filesAtStart({ outputs }: Metafile): readonly Output[] {
  const entry = outputs[entryFile]
  if (entry === undefined) throw new Error(`esbuild wrote no ${entryFile}`)
  const imported = entry.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => outputs[path])
  return [entry, ...imported].filter((output) => output !== undefined)
}

export function partsOf(files: readonly Output[]): BundleParts {
  const parts: Record<string, number> = {}
  const add = (part: string, bytes: number) => {
    parts[part] = (parts[part] ?? 0) + bytes
  }
  for (const { inputs } of files) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) add(partOf(path), bytesInOutput)
  }
  const named = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  const written = files.reduce((sum, { bytes }) => sum + bytes, 0)
  add('(imports and exports)', written - named)
  return Object.fromEntries(Object.entries(parts).sort())
}

/** Bytes of a whole bundle. */
export const bytesOf = (parts: BundleParts): number => Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)

/** A bundle may grow by a tenth of its accepted size. */
const maxBytes = (accepted: BundleParts): number => Math.floor(bytesOf(accepted) * 1.1)

/** Smaller growth of a part is not worth a line. */
const leastGrowth = 50

/**
 * The parts by which a bundle over its budget has grown, the largest first.
 *
 * @returns undefined for a bundle within its budget
 */
export function growthText(name: string, accepted: BundleParts, parts: BundleParts): string | undefined {
  const [bytes, most] = [bytesOf(parts), maxBytes(accepted)]
  if (bytes <= most) return undefined
  const grown = Object.entries(parts)
    .map(([part, size]) => ({ part, size, before: accepted[part] ?? 0 }))
    .filter(({ size, before }) => size - before >= leastGrowth)
    .sort((left, right) => right.size - right.before - (left.size - left.before))
    .map(
      ({ part, size, before }) => `  +${size - before} ${part}${before === 0 ? ' (new)' : ` (${before} to ${size})`}`,
    )
  return [
    `The bundle of ${name} has ${bytes} bytes, and its budget is ${most}: ${bytesOf(accepted)} and a tenth. It grew by`,
    ...grown,
    "Take out what it does not need, or accept today's sizes with npm run accept:bundles, and say why in the commit.",
  ].join('\n')
}
