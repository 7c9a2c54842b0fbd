// Tests the judges of the other benches: they detect every wrong service, chain, client and edge, and accept the right ones.
//
//   npm run bench -- judges
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
const { status } = spawnSync(process.execPath, [...jest, 'test/judges'], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
