// The functions as they are deployed: each bundle built once, each instance a process of its own that starts cold.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../../infra/api/bundling.ts'
import type { EndpointName } from '../../../shared/endpoints/all.ts'
import { fileNameOf } from '../../../shared/http/routes.ts'
import { httpEvent } from '../../functions/event.ts'

export interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Record<string, unknown>
  readonly tookMs: number
}

export interface Instance {
  ask(event: Parameters<typeof httpEvent>[0]): Promise<Given>
  end(): Promise<void>
}

const program = `
  const { handler } = await import(process.argv[1])
  const context = { awsRequestId: 'lambda', getRemainingTimeInMillis: () => 25_000 }
  process.on('message', async (event) => {
    const begunAt = performance.now()
    const { statusCode, headers, body } = await handler(event, context)
    const tookMs = performance.now() - begunAt
    process.send({ status: statusCode, headers, body: JSON.parse(body ?? '{}'), tookMs })
  })
  process.send('started')`

/** Builds the bundles of some endpoints. */
export async function buildFunctions(names: readonly EndpointName[]) {
  const folder = await mkdtemp(join(tmpdir(), 'several-nodes-'))
  const fileOf = (name: string) => join(folder, `${name}.mjs`)
  for (const name of names) {
    const entryPoints = [`functions/${fileNameOf(name)}.ts`]
    await build({ ...esbuildOptions, define: buildConstants(''), entryPoints, outfile: fileOf(name) })
  }
  return {
    /** A new process, which has not handled a request yet. */
    async start(name: EndpointName, environment: Readonly<Record<string, string>>): Promise<Instance> {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, pathToFileURL(fileOf(name)).href], {
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await once(child, 'message')
      return {
        async ask(event) {
          const answered = once(child, 'message')
          child.send(httpEvent(event))
          const [given] = await answered
          return given
        },
        async end() {
          const ended = once(child, 'exit')
          child.disconnect()
          await ended
        },
      }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
