// DuckDB for test/docs/duckdb/duckdb.py: a connection for each program, whose open transaction ends with it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { untilFileEnds } from '../serving.ts'

const received = (value: unknown): DuckDBValue => {
  const { whole } = Object(value) as { readonly whole?: string }
  return whole === undefined ? (value as DuckDBValue) : BigInt(whole)
}
const sent = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? { whole: String(value) } : value)

/** A database in memory. `onStatement` is called before each statement, until the file ends. */
export async function duckdbServer() {
  const instance = await DuckDBInstance.create()
  const server = createServer(async (socket) => {
    const connection = await instance.connect()
    socket.on('error', () => undefined)
    try {
      for await (const line of createInterface({ input: socket })) {
        const [statement, values] = JSON.parse(line) as [string, unknown[]]
        duckdb.onStatement(statement)
        const answer = await connection.runAndReadAll(statement, values.map(received)).then(
          (reader) => JSON.stringify(reader.getRows(), sent),
          (error: Error) => JSON.stringify(error.message),
        )
        socket.write(`${answer}\n`)
      }
    } catch (error) {
      // The lines of a program that was killed end so, if an answer was on its way to it.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    } finally {
      connection.closeSync()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  untilFileEnds({ close: async () => server.close() })
  const duckdb = {
    environment: {
      PYTHONPATH: `${import.meta.dirname}/duckdb`,
      DUCKDB_PORT: String((server.address() as AddressInfo).port),
    },
    onStatement: (_statement: string): void => undefined,
  }
  return duckdb
}
