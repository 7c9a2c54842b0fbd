// AWS's own runtime client, built once for this machine and kept below `node_modules`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const version = '4.0.2'
const folder = join(import.meta.dirname, '../../..', `node_modules/.cache/aws-lambda-ric-${version}`)
const program = join(folder, 'node_modules/aws-lambda-ric/index.mjs')
const native = join(folder, 'node_modules/aws-lambda-ric/rapid-client.node')

/**
 * Installs the client and builds its native part, which takes half a minute, a C++ compiler and CMake, once.
 *
 * @returns its program, or in words why it cannot be had here
 */
export function runtimeClient(): { readonly program: string } | { readonly why: string } {
  if (process.platform !== 'linux') return { why: 'aws-lambda-ric is built on Linux alone' }
  if (existsSync(native)) return { program }
  if (spawnSync('cmake', ['--version']).status !== 0)
    return { why: 'aws-lambda-ric needs CMake, which is not installed' }
  mkdirSync(folder, { recursive: true })
  // npm 11 and later build no package that is not allowed here.
  writeFileSync(join(folder, 'package.json'), '{"private": true, "allowScripts": {"aws-lambda-ric": true}}')
  const built = spawnSync('npm', ['install', `aws-lambda-ric@${version}`], { cwd: folder, encoding: 'utf8' })
  if (existsSync(native)) return { program }
  throw new Error(`aws-lambda-ric ${version} was not built:\n${built.stdout}\n${built.stderr}`)
}
