// npm run accept:bundles: makes the sizes of today's bundles the ones from which their budgets count.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  type BundleParts,
  budgetedFunctions,
  builtFunction,
  bytesOf,
  filesAtStart,
  partsOf,
} from './bundles/bundle-parts.ts'

const file = join(import.meta.dirname, 'bundles/accepted.json')
const before: Readonly<Record<string, BundleParts>> = JSON.parse(readFileSync(file, 'utf8'))
console.log(`Rewrites ${relative(process.cwd(), file)}, from which each bundle may grow by a tenth.\n`)

const accepted: Record<string, BundleParts> = {}
for (const name of budgetedFunctions) {
  const parts = partsOf(filesAtStart((await builtFunction(name)).metafile))
  const was = before[name]
  console.log(`${name} ${was === undefined ? 'had none' : bytesOf(was)} -> ${bytesOf(parts)}`)
  accepted[name] = parts
}
writeFileSync(file, `${JSON.stringify(accepted, null, 2)}\n`)
