// The browser of the tests: Chromium from an npm package on Linux with an x64 processor, elsewhere an installed one.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { cachedFolder } from '../cached-folder.ts'

/** The package's own file names /tmp. Code takes a font of the machine, since the package has none of fixed width. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir prefix="relative">fonts/fonts</dir><dir>/usr/share/fonts</dir>
<alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  return JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8')).version
}

/** The package unpacks to the folder for temporary files; its libraries only where it takes the system for Lambda's. */
async function unpack(folder: string): Promise<void> {
  const script = join(import.meta.dirname, 'unpack-chromium.mjs')
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await promisify(execFile)(process.execPath, [script], { env })
}

async function candidates(): Promise<readonly LaunchOptions[]> {
  const { CHROME_PATH: executablePath } = process.env
  if (executablePath) return [{ executablePath }]
  if (process.platform !== 'linux' || process.arch !== 'x64') return [{ channel: 'chrome' }, { channel: 'msedge' }]
  const folder = await cachedFolder(`chromium-${packageVersion()}`, unpack)
  const fonts = join(folder, 'fonts.conf')
  writeFileSync(fonts, fontsConf)
  // The libraries of the package, since a bare system has none for browsers.
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: fonts,
  }
  return [{ executablePath: join(folder, 'chromium'), env }]
}

/**
 * Starts a browser that resolves no name but one.
 *
 * @param hostName is this machine to the browser
 * @returns undefined, with a line to stderr, where none is installed
 * @throws Error under `CI`, where there must be one
 */
export async function launchChromium(hostName: string): Promise<Browser | undefined> {
  // Never the package's own arguments: with them every page may read every other origin.
  const args = [`--host-resolver-rules=MAP ${hostName} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`]
  const failures: unknown[] = []
  for (const options of await candidates()) {
    try {
      return await chromium.launch({ ...options, args })
    } catch (error) {
      failures.push(error)
    }
  }
  if (process.env.CI) throw new AggregateError(failures, 'The tests found no browser.')
  const reasons = failures.map((failure) => String(failure).split('\n')[0]).join('\n')
  process.stderr.write(
    `Tests in a browser are skipped: name a Chrome or Edge in CHROME_PATH to run them.\n${reasons}\n`,
  )
  return undefined
}
