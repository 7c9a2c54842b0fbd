// Before the tests: starts the process that synthesises stacks for them. It loads aws-cdk-lib once, when the first test
// asks; each test file that loaded it by itself would spend a second on it. The process ends with Jest's.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { addressVariable } from './call.ts'

export default async function startSynthesiser(): Promise<void> {
  // In a test the CDK's errors hold their findings; elsewhere it prints them.
  const env = { ...process.env, NODE_ENV: 'test' }
  const synthesiser = fork(new URL('server.ts', import.meta.url), { env })
  const [address] = await once(synthesiser, 'message')
  process.env[addressVariable] = address
  synthesiser.unref()
  synthesiser.channel?.unref()
}
