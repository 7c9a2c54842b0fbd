// The service of `npm start` in one file. Loading its five hundred modules one by one is half of a start. esbuild makes the
// file, where it is installed: `npm ci --omit=dev` leaves it out, and then the modules themselves run.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

function stampOf(file) {
  const { mtimeMs, size } = statSync(file)
  return `${mtimeMs} ${size}`
}

/** True if the bundle is there, and none of its sources has changed since. */
function isCurrent(root, bundle, list) {
  try {
    statSync(bundle)
    const stamps = JSON.parse(readFileSync(list, 'utf8'))
    return Object.entries(stamps).every(([source, stamp]) => stampOf(join(root, source)) === stamp)
  } catch {
    return false
  }
}

/** Replaces a file as a whole, since another start may be reading it. */
function replace(file, fill) {
  const own = `${file}.${process.pid}`
  fill(own)
  renameSync(own, file)
}

/** Its program of this platform: the functions of its package leave a process behind, which makes a bundle more slowly. */
const esbuild = `node_modules/@esbuild/${process.platform}-${process.arch}/${process.platform === 'win32' ? 'esbuild.exe' : 'bin/esbuild'}`

function make(root, script, bundle, list) {
  const startedAt = Date.now()
  const requiring = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
  const form = ['--bundle', '--format=esm', '--platform=node', '--target=node24', '--main-fields=module,main']
  replace(list, (own) => {
    replace(bundle, (outfile) => {
      const files = [script, `--outfile=${outfile}`, `--metafile=${own}`]
      execFileSync(join(root, esbuild), [...files, ...form, `--banner:js=${requiring}`], { cwd: root, stdio: 'ignore' })
    })
    const stamps = Object.keys(JSON.parse(readFileSync(own, 'utf8')).inputs).map((source) => {
      const stamp = stampOf(join(root, source))
      // One that has changed since may have been read before: an empty stamp equals none.
      return [source, Number.parseFloat(stamp) < startedAt ? stamp : '']
    })
    writeFileSync(own, JSON.stringify(Object.fromEntries(stamps)))
  })
}

/**
 * The file to run for a script.
 *
 * @param root the project's folder
 * @param script relative to it
 * @returns the bundle, or the script itself where none can be made: Node then says what is wrong with it
 */
export function bundleOf(root, script) {
  // At this depth the page of documents finds the project from its bundle as from its module.
  const folder = join(root, 'node_modules/.cache/start')
  const [bundle, list] = [join(folder, 'start.mjs'), join(folder, 'sources.json')]
  try {
    if (!isCurrent(root, bundle, list)) {
      mkdirSync(folder, { recursive: true })
      make(root, script, bundle, list)
    }
    return bundle
  } catch {
    return script
  }
}
