// The client as its users have it: packed, and installed in a folder outside the repository.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../serving.ts'

const root = join(import.meta.dirname, '../..')

export interface Installed {
  /** The folder of a user's project, with `node_modules/chain-explorer-client`. */
  readonly folder: string
  readonly tarball: string
}

/** The Node that runs npm, and npm itself; a bare `npm` where npm did not start the tests. */
const [npmNode, npmCommand] = [process.env.npm_node_execpath ?? process.execPath, process.env.npm_execpath]

/** Of an npm that runs inside another one's script only what every program has. */
const environment = Object.fromEntries(
  Object.entries({
    ...process.env,
    // The compiler, for the build.
    PATH: [dirname(npmNode), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    npm_config_update_notifier: 'false',
  }).filter(([name]) => !/^npm_(?!config_update_notifier)/i.test(name)),
)

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const options = { cwd, env: environment }
  if (npmCommand !== undefined) await promisify(execFile)(npmNode, [npmCommand, ...args], options)
  else await promisify(execFile)('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Builds, packs and installs, without a network and without a trace in the repository, where other tests do the same. */
export async function installClient(): Promise<Installed> {
  const temporary = temporaryFolder()
  const [sources, folder] = [join(temporary, 'client'), join(temporary, 'project')]
  const isOwn = (path: string) => !['dist', 'node_modules'].includes(basename(path))
  cpSync(join(root, 'client'), sources, { recursive: true, filter: isOwn })
  mkdirSync(folder)
  await npm(sources, 'pack', '--pack-destination', temporary)
  const tarball = join(temporary, readdirSync(temporary).find((name) => name.endsWith('.tgz')) ?? '')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball)
  return { folder, tarball }
}
