// One cold start: a new process with a stand-in of Lambda's Runtime API, which hands out one event per question.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../../local/start/listen.ts'

/** The costs of one process. */
export interface Sample {
  /** From the start of the process to its first answer. */
  readonly coldMs: number
  readonly coldProcessorMs: number
  /** Per warm request. */
  readonly warmProcessorMs: number
  readonly peakMegabytes: number
  /** Its last answer. */
  readonly answer: LambdaResult
}

export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Start {
  /** Arguments of Node. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly event: object
  readonly warmRequests: number
  /** The request from which on warm ones are measured; by then the code is compiled. By default half of them. */
  readonly warmFrom?: number
  /** Called after each answer, before the next request. */
  readonly onAnswer?: (answered: number) => void
}

const functionMs = 25_000

/** The variables by which Lambda tells a runtime client where its bundle is. */
export const lambdaEnvironment = (code: string): Readonly<Record<string, string>> => ({
  _HANDLER: 'index.handler',
  LAMBDA_TASK_ROOT: code,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
  AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
})

/** Processor time of all threads in milliseconds. Other processes on a busy machine do not add to it, as they do to time. */
function processorMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** The most memory that a process had at once. */
const peakMegabytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** @throws Error when the process ends before its last answer, or answers with an error */
export async function coldStart(start: Start): Promise<Sample> {
  const { command, env, event, warmRequests, warmFrom = Math.floor(warmRequests / 2), onAnswer } = start
  const figures = { coldMs: 0, coldProcessorMs: 0 }
  let answered = 0
  let warmStartMs = 0
  const { promise: sample, resolve: done, reject: fail } = Promise.withResolvers<Sample>()

  const took = (pid: number, body: string): void => {
    if (answered === 0) {
      figures.coldMs = performance.now() - startedAt
      figures.coldProcessorMs = processorMs(pid)
    }
    if (answered === warmFrom) warmStartMs = processorMs(pid)
    if (answered === warmRequests) {
      const warmProcessorMs = (processorMs(pid) - warmStartMs) / (warmRequests - warmFrom)
      done({ ...figures, warmProcessorMs, peakMegabytes: peakMegabytes(pid), answer: JSON.parse(body) })
    }
    answered += 1
    onAnswer?.(answered)
  }

  const runtimeApi: RequestListener = async (request, response) => {
    const { pid = 0 } = child
    if (request.url?.endsWith('/next')) {
      response.setHeader('Lambda-Runtime-Aws-Request-Id', randomUUID())
      response.setHeader('Lambda-Runtime-Deadline-Ms', Date.now() + functionMs)
      response.setHeader('Lambda-Runtime-Invoked-Function-Arn', 'arn:aws:lambda:local:000000000000:function:bench')
      response.setHeader('Lambda-Runtime-Trace-Id', 'Root=1-00000000-000000000000000000000000;Sampled=0')
      // aws-lambda-ric crashes without it.
      response.setHeader('Content-Type', 'application/json')
      const json = JSON.stringify(event)
      response.setHeader('Content-Length', Buffer.byteLength(json)).end(json)
      return
    }
    const body = await text(request)
    if (request.url?.endsWith('/response')) took(pid, body)
    else fail(new Error(body))
    response.writeHead(202, { 'Content-Length': 0 }).end()
  }

  const api = await listen(runtimeApi, 0, '127.0.0.1')
  const startedAt = performance.now()
  const child = spawn(process.execPath, command, {
    env: { ...env, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${api.port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  text(child.stderr).then((words) => fail(new Error(`the process ended: ${words}`)), fail)
  try {
    return await sample
  } finally {
    child.kill('SIGKILL')
    await ended
    await api.close()
  }
}
