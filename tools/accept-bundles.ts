// npm run accept:bundles: makes the sizes of today's bundles the ones from which their budgets count.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BundleParts,
  budgetedFunctions,
  builtFunction,
  bytesOf,
  filesAtStart,
  partsOf,
} from './bundles/bundle-parts.ts'

const accepted: Record<string, BundleParts> = {}
for (const name of budgetedFunctions) {
  accepted[name] = partsOf(filesAtStart((await builtFunction(name)).metafile))
}
const file = join(import.meta.dirname, 'bundles/accepted.json')
writeFileSync(file, `${JSON.stringify(accepted, null, 2)}\n`)
console.log(
  Object.entries(accepted)
    .map(([name, parts]) => `${name} ${bytesOf(parts)}`)
    .join('\n'),
)
