// The service of `npm start` in one file. Loading its five hundred modules one by one is half of a start. esbuild makes the
// file, where it is installed: `npm ci --omit=dev` leaves it out, and then the modules themselves run.
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

async function make(root, script, bundle, list) {
  const { buildSync } = await import('esbuild')
  const startedAt = Date.now()
  const requiring = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
  const sources = new Set()
  replace(bundle, (outfile) => {
    const output = {
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      banner: { js: requiring },
      outfile,
    }
    const given = { absWorkingDir: root, entryPoints: [script], mainFields: ['module', 'main'] }
    const { metafile } = buildSync({ ...given, ...output, metafile: true, logLevel: 'silent' })
    for (const source of Object.keys(metafile.inputs)) sources.add(source)
  })
  const stamps = [...sources].map((source) => {
    const stamp = stampOf(join(root, source))
    // One that has changed since may have been read before: an empty stamp equals none.
    return [source, Number.parseFloat(stamp) < startedAt ? stamp : '']
  })
  replace(list, (own) => writeFileSync(own, JSON.stringify(Object.fromEntries(stamps))))
}

/**
 * The file to run for a script.
 *
 * @param root the project's folder
 * @param script relative to it
 * @returns the bundle, or the script itself where none can be made: Node then says what is wrong with it
 */
export async function bundleOf(root, script) {
  // At this depth the page of documents finds the project from its bundle as from its module.
  const folder = join(root, 'node_modules/.cache/start')
  const [bundle, list] = [join(folder, 'start.mjs'), join(folder, 'sources.json')]
  try {
    if (!isCurrent(root, bundle, list)) {
      mkdirSync(folder, { recursive: true })
      await make(root, script, bundle, list)
    }
    return bundle
  } catch {
    return script
  }
}
