// After the tests: ends what `start.ts` started.
import { once } from 'node:events'

export default async function stopSynthesiser(): Promise<void> {
  const { synthesiser } = globalThis
  if (synthesiser === undefined) return
  const exited = once(synthesiser, 'exit')
  synthesiser.disconnect()
  await exited
}
