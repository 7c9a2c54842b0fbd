// The functions as they are deployed: each bundle built once, each instance a separate process that starts cold.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildConstants, entryFile, functionBuild } from '../../infra/api/bundling.ts'
import type { EndpointName } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { httpEvent } from '../functions/event.ts'
import { temporaryFolder } from '../serving.ts'

export interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it was sent. */
  readonly body: string
  readonly tookMs: number
  /** Modules of the built-in fetch that the process has loaded so far. */
  readonly fetchModules: readonly string[]
}

export interface Instance {
  ask(event: Parameters<typeof httpEvent>[0]): Promise<Given>
  /** @returns the lines that it has logged */
  end(): Promise<readonly object[]>
}

const program = `
  const [, bundle, random] = process.argv
  Math.random = () => Number(random)
  const { handler } = await import(bundle)
  const context = { awsRequestId: 'lambda', getRemainingTimeInMillis: () => 25_000 }
  process.on('message', async (event) => {
    const begunAt = performance.now()
    const { statusCode, headers, body } = await handler(event, context)
    const tookMs = performance.now() - begunAt
    const fetchModules = process.moduleLoadList.filter((name) => name.includes('undici'))
    process.send({ status: statusCode, headers, body, tookMs, fetchModules })
  })
  process.send('started')`

/** Builds the bundles of some endpoints. */
export async function buildFunctions(names: readonly EndpointName[], lockedSupplyTable = '') {
  const folder = temporaryFolder()
  const fileOf = (name: EndpointName) => join(folder, name, entryFile)
  const define = buildConstants(lockedSupplyTable)
  await Promise.all(
    names.map((name) => build({ ...functionBuild(`functions/${fileNameOf(name)}.ts`, join(folder, name)), define })),
  )
  return {
    fileOf,
    /**
     * A new process, which has not handled a request yet.
     *
     * @param random in place of chance, from 0 to 1: by it an instance chooses the node that it asks first
     */
    async start(name: EndpointName, env: Readonly<Record<string, string>>, random = 0): Promise<Instance> {
      const args = ['--input-type=module', '-e', program, pathToFileURL(fileOf(name)).href, String(random)]
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
      const printed = text(child.stdout ?? Readable.from([]))
      await once(child, 'message')
      return {
        async ask(event) {
          const answered = once(child, 'message')
          child.send(httpEvent(event))
          const [given] = await answered
          return given
        },
        async end() {
          if (child.connected) child.disconnect()
          const lines = (await printed).split('\n').filter((line) => line !== '')
          return lines.map((line) => JSON.parse(line))
        },
      }
    },
  }
}
