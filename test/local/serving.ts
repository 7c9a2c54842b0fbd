// Servers on free ports of the loopback interface, which close when their test ends.
import type { RequestListener } from 'node:http'
import { afterEach } from '@jest/globals'
import { listen } from '../../local/start/listen.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

/** Closes it when the test ends. */
export function untilTestEnds<Running extends { close(): Promise<unknown> }>(running: Running): Running {
  closing.push(running.close)
  return running
}

/** Serves until the test ends. */
export async function serve(listener: RequestListener): Promise<{ readonly port: number; readonly url: string }> {
  const { port } = untilTestEnds(await listen(listener, 0, '127.0.0.1'))
  return { port, url: `http://127.0.0.1:${port}` }
}

/** An address at which no server listens any more. */
export async function abandonedUrl(): Promise<string> {
  const { port, close } = await listen(() => undefined, 0, '127.0.0.1')
  await close()
  return `http://127.0.0.1:${port}`
}
