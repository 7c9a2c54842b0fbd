// Installs the peers' packages on demand, into a folder of the caller's choice.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Without install scripts. What is there already stays. */
export function installPeers(folder: string): void {
  if (existsSync(join(folder, 'node_modules', 'fastify'))) return
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, 'peers', file), join(folder, file))
  }
  console.error(`installing the peers into ${folder}`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] })
}
