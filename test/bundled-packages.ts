// Packages of many files, each bundled into one. Jest loads every file again for every test file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { cachedFolder } from './cached-folder.ts'

const root = join(import.meta.dirname, '..')

/** For CommonJS inside of a module. */
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }

/**
 * The bundles, made anew when the lockfile or this file changes. They share what they import, so that an object of one is
 * known to the other.
 *
 * @param packages by name
 * @returns for Jest's `moduleNameMapper`
 */
export async function bundledPackages(packages: readonly string[]): Promise<Record<string, string>> {
  const sources = [join(root, 'package-lock.json'), import.meta.filename].map((file) => readFileSync(file))
  const digest = createHash('sha256').update(Buffer.concat(sources)).update(packages.join()).digest('hex').slice(0, 16)
  const options = { bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' } as const
  const mainFields = ['module', 'main']
  const folder = await cachedFolder(`bundled-packages-${digest}`, (outdir) =>
    build({
      ...{ ...options, absWorkingDir: root, entryPoints: [...packages], outdir, banner, mainFields },
      outExtension: { '.js': '.mjs' },
    }),
  )
  return Object.fromEntries(packages.map((name) => [`^${name}$`, join(folder, `${name}.mjs`)]))
}
