// Pages that show code as it is in its files, which tests run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

interface CodePage {
  readonly path: string
  /** Folder of the files, as the page names it, and from the page's own folder. */
  readonly folder: string
  /** A file's code as the page shows it. */
  readonly shown: (code: string) => string
}

const pages: readonly CodePage[] = [
  ...['docs/recipes.md', 'docs/broadcasting.md'].map((path) => ({
    path,
    folder: 'recipes',
    shown: (code: string) => code,
  })),
  {
    path: 'packages/client/README.md',
    folder: 'examples',
    // Who installed the package has no source of it.
    shown: (code) =>
      code
        .replaceAll("'../src/client.ts'", "'chain-explorer-client'")
        .replaceAll("'../src/csv.ts'", "'chain-explorer-client/csv'"),
  },
]

/** @throws Error for a block that names no file */
function textOf({ path, folder, shown }: CodePage): string {
  const page = readFileSync(join(root, path), 'utf8')
  const block = new RegExp(`(\`\`\`(?:ts|js)\\n// ${folder}/(\\S+)\\n)[\\s\\S]*?^\`\`\`$`, 'gm')
  return page.replace(block, (_block, start: string, name: string) => {
    const code = readFileSync(join(root, path, '..', folder, name), 'utf8').trimEnd()
    return `${start}${shown(code)}\n\`\`\``
  })
}

/** @returns path from the project's root to text: each page, its blocks of code replaced by their files */
export const codePages = (): ReadonlyMap<string, string> => new Map(pages.map((page) => [page.path, textOf(page)]))
