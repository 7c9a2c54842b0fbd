// Raw servers for the tests of one file, closed after each test, and a question to put to them.
import { createTransport, type HttpRequest } from '../../../../functions/runtime/upstreams/transport.ts'
import { untilTestEnds } from '../../../serving.ts'
import { type RawAnswer, type RawServer, rawServer } from './raw-server.ts'

export const serving = (...given: Parameters<typeof rawServer>): Promise<RawServer> =>
  rawServer(...given).then(untilTestEnds)

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
