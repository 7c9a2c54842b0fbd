import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from '@jest/globals'
import { usage } from '../../../local/start/arguments.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { get } from '../../end-to-end/running-service.ts'
import { httpAnswer, type RawAnswer, rawServer } from '../../functions/runtime/upstreams/raw-server.ts'
import { transportFaults } from '../../functions/runtime/upstreams/transport-faults.ts'
import { serve, untilTestEnds } from '../../serving.ts'
import { startSession } from '../../testnet/session.ts'

describe('the process of npm start', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const start = (env: Record<string, string>, ...options: string[]) => run('local/start.ts', env, ...options)
  const run = (program: string, env: Record<string, string>, ...options: string[]) => {
    const child = spawn(process.execPath, [program, ...options], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
    children.push(child)
    return child
  }
  /** The exit code and the output of a process that ends by itself. */
  const outcomeOf = async (child: ReturnType<typeof start>) => {
    const [[code], errors, printed] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    return { code, errors, printed }
  }

  test('greets, and ends with 0 on two interrupts at once', async () => {
    const child = start({ PORT: '0' })
    const ended = once(child, 'exit')
    const errors = text(child.stderr)
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      if (!printed.includes('Ctrl-C stops it.\n')) continue
      child.kill('SIGINT')
      child.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
    expect(printed.match(/^curl .*\$url/gm)).toHaveLength(endpoints.length)
    expect(await errors).toBe('')
  })

  /** Its output up to a text. */
  const printedUntil = async (child: ReturnType<typeof start>, end: RegExp) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
    })
    while (!end.test(printed)) await once(child.stdout, 'data')
    return printed
  }

  test('shares its greeting and its variables with the explorer’s demo, whose page has PORT', async () => {
    const demo = (BLOCK_SECONDS: string, PORT = '0') => run('local/demo.ts', { BLOCK_SECONDS, PORT }, '--explorer')
    const printed = await printedUntil(demo('7'), /^Open http:.*\?api=http:.*\n$/m)
    const { port } = await serve((_, response) => response.end())
    expect((await outcomeOf(demo('7', String(port)))).errors).toMatch(`PORT: ${port} on 127.0.0.1 is in use`)
    expect(printed).toMatch(/a new block every 7 s;.*\nalice .* EK.*\ncurl .*\$chain\/reorganised/s)
    expect((await outcomeOf(demo('soon'))).errors).toMatch(/^BLOCK_SECONDS: wanted a whole number from 1 to 3600/)
  })

  test('logs the request of its greeting after it, survives every transport fault of its upstreams, and answers correctly after each', async () => {
    const { chain, wallet } = startSession({ slotsPerEpoch: 12, historyBlocks: 40 })
    let fault: RawAnswer | undefined
    /** Passes on the answers of a server, byte for byte, over connections that are kept, unless there is a fault. */
    const rawUpstream = async (listener: RequestListener) => {
      const upstream = await serve(listener)
      const server = await rawServer(async (socket, request) => {
        if (fault !== undefined) return fault(socket, request)
        const body = Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1')
        const headers = { 'content-type': 'application/json' }
        const reply = await fetch(`${upstream.url}/graphql`, { method: 'POST', headers, body })
        return socket.write(httpAnswer(reply.status, Buffer.from(await reply.arrayBuffer())))
      })
      return untilTestEnds(server).url
    }
    const [NODE_GRAPHQL_URL, INDEXER_GRAPHQL_URL] = [
      await rawUpstream(nodeServer(chain)),
      await rawUpstream(indexerServer(chain)),
    ]
    // On a busy machine an upstream that is well may take longer than it does elsewhere.
    const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000', INDEXER_STAKES_TIMEOUT_MS: '20000' }
    const child = start({ PORT: '0', NODE_GRAPHQL_URL, INDEXER_GRAPHQL_URL, ...patience })
    const printed = await printedUntil(child, /^\{.*\}$/m)
    expect(printed).toMatch(/^REST service [\s\S]*\nCtrl-C stops it\.\n\{.*"endpoint":"getBlocks"/)
    const [, url] = /^REST service +(\S+)/m.exec(printed) ?? []
    const paths = ['/blocks', `/accounts/${wallet('bob').publicKey}`]
    const askAll = () =>
      Promise.all(
        paths.map(async (path) => {
          const { status, body } = await get(url + path)
          return { status, body }
        }),
      )
    const right = await askAll()
    expect(right.map(({ status }) => status)).toEqual([200, 200])
    const unavailable = { status: 502, body: { message: 'Upstream unavailable.' } }
    for (const { does, answer } of transportFaults) {
      fault = answer
      const answers = await askAll()
      fault = undefined
      expect({ does, answers }).toEqual({ does, answers: [unavailable, unavailable] })
      expect({ does, answers: await askAll() }).toEqual({ does, answers: right })
    }
    expect(child.exitCode).toBeNull()
  })

  test('adds to the file of --lines the lines of deployed functions, metrics included', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lines-'))
    try {
      const file = join(folder, 'night.jsonl')
      const { url } = await serve(nodeServer(startSession({}).chain))
      await printedUntil(start({ PORT: '0', NODE_GRAPHQL_URL: `${url}/graphql` }, '--lines', file), /^\{.*\}$/m)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        Service: 'chain-explorer-laptop',
        Route: 'GET /blocks',
        Outcome: 'success',
        Requests: 1,
        _aws: { Timestamp: expect.any(Number) },
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  const ownNode = { PORT: '0', NODE_GRAPHQL_URL: 'http://127.0.0.1:1/graphql' }
  const notFlaky = '--flaky: only the embedded node can be flaky, not your own'
  const notKept = 'KEEP: only the embedded chain can be kept, not that of your own node'
  test.each([
    ['--flaky in front of your own node', ownNode, '--flaky', { code: 1, printed: '', errors: `${notFlaky}\n` }],
    [
      'KEEP in front of your own node',
      { ...ownNode, KEEP: 'x' },
      '--lenient',
      { code: 1, printed: '', errors: `${notKept}\n` },
    ],
    [
      'a file that cannot be written',
      ownNode,
      '--lines=/',
      { code: 1, printed: '', errors: '--lines: / cannot be written (EISDIR)\n' },
    ],
    ['--help', {}, '--help', { code: 0, printed: `${usage}\n`, errors: '' }],
  ])('prints one answer to %s and ends', async (_, env, option, outcome) => {
    expect(await outcomeOf(start(env, option))).toEqual(outcome)
  })

  test('ends with 1 and one line when its port is in use', async () => {
    const { port } = await serve(() => undefined)
    expect(await outcomeOf(start({ PORT: String(port) }))).toEqual({
      code: 1,
      printed: '',
      errors: expect.stringMatching(new RegExp(`^PORT: ${port} on 127\\.0\\.0\\.1 is in use [^\\n]+\\n$`)),
    })
  })
})
