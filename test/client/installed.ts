// The client as its users have it: packed and installed in a folder outside the repository, by the lines of its README.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { commandsIn } from '../../tools/documents/commands.ts'
import { temporaryFolder } from '../serving.ts'

const root = join(import.meta.dirname, '../..')

export interface Installed {
  /** The folder of a user's project, with `node_modules/chain-explorer-client`. */
  readonly folder: string
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
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }).filter(([name]) => !/^npm_(?!config_(?:update_notifier|offline|audit|fund)$)/i.test(name)),
)

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const options = { cwd, env: environment }
  if (npmCommand !== undefined) await promisify(execFile)(npmNode, [npmCommand, ...args], options)
  else await promisify(execFile)('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** The commands that a reader copies; the repository here has its packages already. */
function* installingCommands(): Generator<readonly string[]> {
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
  const block = readme.slice(0, readme.indexOf('```', readme.indexOf('```console') + 3) + 3)
  for (const { command } of commandsIn('packages/client/README.md', block))
    if (command !== 'npm ci') yield command.split(' ')
}

/** Builds, packs and installs, without a network and without a trace in the repository, where other tests do the same. */
export async function installClient(): Promise<Installed> {
  const temporary = temporaryFolder()
  const [checkout, folder] = [join(temporary, 'checkout'), join(temporary, 'my-project')]
  const isOwn = (path: string) => !['dist', 'node_modules'].includes(basename(path))
  // Where the repository has it: npm finds a workspace by its folder or its name.
  cpSync(join(root, 'packages/client'), join(checkout, 'packages/client'), { recursive: true, filter: isOwn })
  writeFileSync(join(checkout, 'package.json'), '{ "private": true, "workspaces": ["packages/client"] }')
  let cwd = checkout
  for (const [program, ...args] of installingCommands()) {
    if (program === 'cd') cwd = join(cwd, ...args)
    else if (program === 'mkdir') mkdirSync(join(cwd, ...args))
    else await npm(cwd, ...args)
  }
  return { folder }
}
