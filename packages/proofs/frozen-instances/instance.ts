// One instance as Lambda runs it: a process under the runtime client, which is stopped when it asks for its next event, and goes
// on when one comes.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { listen } from '../../../local/start/listen.ts'
import { lambdaEnvironment } from '../bench/cold/start.ts'

const functionMs = 25_000

export interface Asking {
  /** The runtime client's program. */
  readonly program: string
  /** Folder of the bundle. */
  readonly code: string
  readonly env: Readonly<Record<string, string>>
  /** The event of the next request. */
  readonly event: () => object
  /** The sleeps between the requests, in milliseconds: one fewer than there are requests. */
  readonly sleepsMs: readonly number[]
  /** Called in the middle of each sleep. */
  readonly whileAsleep: () => void
}

export interface Answered {
  readonly status: number
  readonly body: string
  /** From the event to its answer, the start of the process not counted. */
  readonly tookMs: number
}

/** A request's line in the log. */
export interface LogLine {
  readonly durationMs: number
  readonly upstream: readonly { readonly operation: string; readonly durationMs: number }[]
}

const linesIn = (printed: string): readonly LogLine[] =>
  printed
    .split('\n')
    .map((line) => line.slice(line.indexOf('{')))
    .filter((line) => line.startsWith('{') && line.includes('"endpoint"'))
    .map((line) => ({ upstream: [], ...JSON.parse(line) }))

/** @throws Error when the process ends before its last answer, or answers with an error of the runtime */
export async function askSleeping({ program, code, env, event, sleepsMs, whileAsleep }: Asking) {
  const answers: Answered[] = []
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  let begunAt = 0
  const api = await listen(
    async (request, response) => {
      if (!request.url?.endsWith('/next')) {
        const body = await text(request)
        if (!request.url?.endsWith('/response')) reject(new Error(body))
        const { statusCode, body: given = '' } = JSON.parse(body)
        answers.push({ status: statusCode, body: given, tookMs: performance.now() - begunAt })
        response.writeHead(202, { 'Content-Length': 0 }).end()
        return
      }
      const sleepMs = answers.length === 0 ? 0 : sleepsMs[answers.length - 1]
      if (sleepMs === undefined) {
        resolve()
        return
      }
      if (sleepMs > 0) {
        child.kill('SIGSTOP')
        await wait(sleepMs / 2)
        whileAsleep()
        await wait(sleepMs / 2)
        child.kill('SIGCONT')
      }
      const json = JSON.stringify(event())
      response.writeHead(200, {
        'Lambda-Runtime-Aws-Request-Id': randomUUID(),
        'Lambda-Runtime-Deadline-Ms': Date.now() + functionMs,
        'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:local:000000000000:function:bench',
        'Lambda-Runtime-Trace-Id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      })
      begunAt = performance.now()
      response.end(json)
    },
    0,
    '127.0.0.1',
  )
  const child = spawn(process.execPath, [program], {
    env: {
      ...env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${api.port}`,
      ...lambdaEnvironment(code),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((end) => child.once('exit', end))
  const printed = text(child.stdout)
  const errors = text(child.stderr)
  void ended.then(async () => reject(new Error(`the process ended: ${await errors}`)))
  try {
    await done
  } finally {
    child.kill('SIGKILL')
    await ended
    await api.close()
  }
  return { answers, lines: linesIn(await printed) }
}
