// A node on a separate thread that answers each path with a fixed text.
import { Worker } from 'node:worker_threads'

const source = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((request, response) =>
    request.resume().on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(workerData[request.url.slice(1)])))
  // On a machine that stalls, a peer must not meet a connection that was closed meanwhile.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

export interface CannedNode {
  /** The GraphQL address that answers with the text of this index. */
  urlOf(index: number): string
  close(): Promise<unknown>
}

export async function cannedNode(answers: readonly string[]): Promise<CannedNode> {
  const worker = new Worker(source, { eval: true, workerData: answers })
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return { urlOf: (index) => `http://127.0.0.1:${port}/${index}`, close: () => worker.terminate() }
}
