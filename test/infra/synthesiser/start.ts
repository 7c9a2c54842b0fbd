// Before the tests: starts the process that synthesises stacks for them. It loads aws-cdk-lib once, when the first test
// asks; each test file that loaded it by itself would spend a second on it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { addressVariable } from './protocol.ts'

declare global {
  /** The process, for `stop.ts`. */
  var synthesiser: ChildProcess | undefined
}

export default async function startSynthesiser(): Promise<void> {
  globalThis.synthesiser = fork(new URL('server.ts', import.meta.url))
  const [address] = await once(globalThis.synthesiser, 'message')
  process.env[addressVariable] = address
}
