// Raw servers for the tests of one file, closed after each test, and a question to put to them.
import { afterEach } from '@jest/globals'
import { createTransport, type HttpRequest } from '../../../../functions/runtime/upstreams/transport.ts'
import { type RawAnswer, type RawServer, rawServer } from './raw-server.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(() => Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp())))

export async function serving(...[answer, options]: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(answer, options)
  cleanUps.push(server.close)
  return server
}

export const question = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"query q {hash}"}',
  signal: AbortSignal.timeout(20_000),
  ...changes,
})

/** Asks a server that does just this. */
export const askOne = async (answer: RawAnswer, changes?: Partial<HttpRequest>) =>
  createTransport()(question((await serving(answer)).url, changes))

export const sends =
  (bytes: string | Buffer): RawAnswer =>
  (socket) =>
    socket.write(bytes)
