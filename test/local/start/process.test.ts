import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from '@jest/globals'
import { usage } from '../../../local/start/arguments.ts'
import { listen } from '../../../local/start/listen.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'

describe('npm start', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const run = (env: Record<string, string>, ...options: string[]) => {
    const child = spawn(process.execPath, ['local/start.ts', ...options], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
    children.push(child)
    return child
  }

  test('greets, and ends with 0 on two interrupts at once', async () => {
    const child = run({ PORT: '0' })
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
    expect(printed.match(/^curl /gm)).toHaveLength(endpoints.length)
    expect(await errors).toBe('')
  })

  test('does not make your own node flaky', async () => {
    const child = run({ PORT: '0', NODE_GRAPHQL_URL: 'http://127.0.0.1:1/graphql' }, '--flaky')
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)])
    expect({ code, errors }).toEqual({
      code: 1,
      errors: '--flaky: only the embedded node can be flaky, not your own\n',
    })
  })

  test.each([
    ['--help', 0],
    ['--port=80', 1],
  ])('takes no other options than --flaky: %s shows its usage and ends with %i', async (option, expected) => {
    const child = run({}, option)
    const [[code], errors, printed] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    expect({ code, printed, errors }).toEqual({ code: expected, printed: '', errors: `${usage}\n` })
  })

  test('leaves nothing running and ends with 1 and one line when its port is in use', async () => {
    const taken = await listen(() => undefined, 0, '127.0.0.1')
    const child = run({ PORT: String(taken.port) })
    const [[code], errors, printed] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    await taken.close()
    expect({ code, printed }).toEqual({ code: 1, printed: '' })
    expect(errors).toMatch(new RegExp(`^PORT: ${taken.port} on 127\\.0\\.0\\.1 is in use [^\\n]+\\n$`))
  })
})
