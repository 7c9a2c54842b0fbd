// docs/recipes.md shows the recipes as they are in their files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '..', '..', 'docs')

/**
 * The page with each block of code replaced by its file.
 *
 * @returns a path and its text
 * @throws Error for a block that names no file
 */
export function recipesPage(): readonly [path: string, text: string] {
  const page = readFileSync(join(docs, 'recipes.md'), 'utf8')
  const block = /(```ts\n\/\/ recipes\/(\S+)\n)[\s\S]*?\n```/g
  const text = page.replace(block, (_block, start: string, name: string) => {
    return `${start}${readFileSync(join(docs, 'recipes', name), 'utf8').trimEnd()}\n\`\`\``
  })
  return ['docs/recipes.md', text]
}
