import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from '@jest/globals'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { usage } from '../../../local/start/arguments.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { serve } from '../../serving.ts'
import { startSession } from '../chain/session.ts'

describe('the process of npm start', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const start = (env: Record<string, string>, ...options: string[]) => {
    const child = spawn(process.execPath, ['local/start.ts', ...options], {
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

  test('logs its first request, which the greeting sends, after the greeting', async () => {
    const { url } = await serve(nodeServer(startSession({ historyBlocks: 40 }).chain))
    const child = start({ PORT: '0', NODE_GRAPHQL_URL: `${url}/graphql` })
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      if (/^\{.*\}$/m.test(printed)) break
    }
    expect(printed).toMatch(/^REST service [\s\S]*\nCtrl-C stops it\.\n\{.*"endpoint":"getBlocks"/)
  })

  const ownNode = { PORT: '0', NODE_GRAPHQL_URL: 'http://127.0.0.1:1/graphql' }
  const notFlaky = '--flaky: only the embedded node can be flaky, not your own'
  const notKept = 'KEEP: only the embedded chain can be kept, not that of your own node'
  const unknown = '--flakey: unknown option. Did you mean --flaky? Settings are variables: PORT=8081 npm start'
  test.each([
    ['--flaky in front of your own node', ownNode, '--flaky', { code: 1, printed: '', errors: `${notFlaky}\n` }],
    [
      'KEEP in front of your own node',
      { ...ownNode, KEEP: 'x' },
      '--lenient',
      { code: 1, printed: '', errors: `${notKept}\n` },
    ],
    ['a misspelt option', {}, '--flakey', { code: 1, printed: '', errors: `${unknown}\n` }],
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
