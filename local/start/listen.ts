// HTTP servers that close without waiting for their clients.
import { createServer, type RequestListener } from 'node:http'

export interface Listening {
  readonly port: number
  /** Cuts every connection, idle or busy; resolves when the port is free. */
  close(): Promise<void>
}

/** @throws Error with the system's `code` (`EADDRINUSE`, `EACCES`, …) when the address is not available */
export async function listen(listener: RequestListener, port: number, host: string): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a network address')
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
