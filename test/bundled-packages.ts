// Packages of many files, each bundled into one. Jest loads every file again for every test file.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** For CommonJS inside of a module. */
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }

/** They share what they import, so that an object of one is known to the other. */
function bundle(packages: readonly string[], outdir: string): void {
  const options = { bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' } as const
  const mainFields = ['module', 'main']
  buildSync({
    ...{ ...options, absWorkingDir: root, entryPoints: [...packages], outdir, banner, mainFields },
    outExtension: { '.js': '.mjs' },
  })
}

/**
 * The bundles, made anew when the lockfile or this file changes. Of two runs that make them at a time one wins.
 *
 * @param packages by name
 * @returns for Jest's `moduleNameMapper`
 */
export function bundledPackages(packages: readonly string[]): Record<string, string> {
  const sources = [join(root, 'package-lock.json'), import.meta.filename].map((file) => readFileSync(file))
  const digest = createHash('sha256').update(Buffer.concat(sources)).update(packages.join()).digest('hex').slice(0, 16)
  const folder = join(root, 'node_modules/.cache', `bundled-packages-${digest}`)
  if (!existsSync(folder)) {
    const own = `${folder}-${process.pid}`
    bundle(packages, own)
    try {
      renameSync(own, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
      rmSync(own, { recursive: true })
    }
  }
  return Object.fromEntries(packages.map((name) => [`^${name}$`, join(folder, `${name}.mjs`)]))
}
