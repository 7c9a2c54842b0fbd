// A short day of an exchange whose program is that of docs/recipes in Python. The whole one, and that of the program in Go,
// which takes a compiler, is `npm run bench -- exchange-day`.
import { expect, jest, test } from '@jest/globals'
import { startService } from '../../local/start/service.ts'
import { exchangeDay, hotWallet, network } from '../../verification/exchange-day/day.ts'
import { misreadMemos } from '../../verification/exchange-day/memos.ts'
import { commandOf, ExchangeProgram } from '../../verification/exchange-day/program.ts'
import type { Stage } from '../../verification/exchange-day/stage.ts'
import { temporaryFolder, untilFileEnds } from '../serving.ts'

// Programs are started again and again, perhaps on a busy machine.
jest.setTimeout(300_000)

const blockMs = 250

/** The whole service on a chain whose slots pass forty times as fast. */
async function hurriedStage(): Promise<Stage> {
  const blockSeconds = 10
  const startedAt = Date.now()
  const now = () => startedAt + ((Date.now() - startedAt) * blockSeconds * 1000) / blockMs
  const repeat = (task: () => void) => {
    const timer = setInterval(task, blockMs / 4)
    return () => clearInterval(timer)
  }
  const options = { blockSeconds, now, repeat, log: () => undefined, signsOwnCommands: false }
  const { url, nodeUrl, controlUrl = '', wallets } = untilFileEnds(await startService(options))
  return { url, nodeUrl, controlUrl, wallets, blockMs, outage: async () => undefined, close: async () => undefined }
}

// The program splits its --sign command as a POSIX shell does, which breaks Windows paths.
const command = process.platform === 'win32' ? undefined : commandOf('python', temporaryFolder())
if (command === undefined) process.stderr.write('No test of the recipe in Python: it is not here, or this is Windows\n')
const testOfProgram = command === undefined ? test.skip : test

const setting = { url: '', network, from: '', privateKey: '', confirmations: 3, pollSeconds: 0.1 }
const programWith = (options: Partial<typeof setting> = {}) => {
  if (command === undefined) throw new Error('Python is not installed')
  return new ExchangeProgram(command, temporaryFolder(), { ...setting, ...options })
}

testOfProgram('the program has books that equal the chain after reorganisations, kills and a raised fee', async () => {
  const stage = await hurriedStage()
  const { publicKey: from, privateKey } = hotWallet(stage)
  const plan = { keys: 8, byZkapp: 1, withdrawals: 2, reorganisations: [2, 6], kills: 2, outageMs: 0, hasFork: false }
  const program = programWith({ url: stage.url, from, privateKey })
  const { credited, deposits, ...table } = await exchangeDay(stage, program, plan, () => undefined)
  expect({ ...table, isAllCredited: credited === deposits }).toEqual({
    ...{ keys: 8, keysEqual: 8, isAllCredited: true, withdrawals: { paid: 2 }, raised: 1, walletDifference: '0' },
    ...{ reorganisations: 2, kills: 2 },
  })
})

testOfProgram('the program reads a memo, and takes nothing else for one', () => {
  expect(misreadMemos(programWith())).toEqual([])
})
