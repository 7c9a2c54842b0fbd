import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { coldStart } from '../../../../verification/bench/cold/start.ts'

const client = join(import.meta.dirname, '../../../../verification/bench/cold/runtime-client.mjs')
/** Processor times come from /proc. */
const onLinux = process.platform === 'linux' ? test : test.skip

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cold-start-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a process whose bundle is this code. */
function started(code: string) {
  const bundle = join(folder, 'index.mjs')
  writeFileSync(bundle, code)
  return coldStart({ command: [client, bundle], env: {}, event: { name: 'ä' }, warmRequests: 4 })
}

onLinux('a process is handed each event by the stand-in of the Runtime API, and measured', async () => {
  const code = `let count = 0
    export const handler = async (event, context) =>
      ({ statusCode: 200, headers: {}, body: [event.name, (count += 1), context.getRemainingTimeInMillis() > 20_000].join(' ') })`
  const { answer, ...figures } = await started(code)
  expect(answer).toEqual({ statusCode: 200, headers: {}, body: 'ä 5 true' })
  expect(Object.entries(figures).filter(([, figure]) => !(figure > 0))).toEqual([])
  expect(figures.coldProcessorMs).toBeGreaterThanOrEqual(figures.initProcessorMs)
})

onLinux('a process that ends early fails with its own words', async () => {
  await expect(started('throw new Error("broken bundle")')).rejects.toThrow('broken bundle')
  await expect(started('export const handler = () => { throw new Error("broken call") }')).rejects.toThrow(
    'broken call',
  )
})
