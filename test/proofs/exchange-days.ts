// Short days of an exchange whose program is that of docs/recipes. The whole day is `npm run bench -- exchange-day`.
import { expect, jest, test } from '@jest/globals'
import { startService } from '../../local/start/service.ts'
import { exchangeDay, network, type Plan, raisedIn } from '../../packages/proofs/exchange-day/day.ts'
import { misreadMemos } from '../../packages/proofs/exchange-day/memos.ts'
import {
  commandOf,
  ExchangeProgram,
  hurried,
  type Language,
  type Setting,
} from '../../packages/proofs/exchange-day/program.ts'
import { restoredBooks } from '../../packages/proofs/exchange-day/restored-books.ts'
import { secondPrograms } from '../../packages/proofs/exchange-day/second-program.ts'
import { hotWallet, type Stage } from '../../packages/proofs/exchange-day/stage.ts'
import { troubledSigner } from '../../packages/proofs/exchange-day/troubles.ts'
import { temporaryFolder, untilFileEnds } from '../serving.ts'

// Programs are started again and again, perhaps on a busy machine.
jest.setTimeout(600_000)

const blockMs = 250

/** The whole service on a chain whose slots pass forty times as fast. */
async function hurriedStage(): Promise<Stage> {
  const blockSeconds = 10
  const startedAt = Date.now()
  let [stoodMs, stoodAt] = [0, undefined as number | undefined]
  const passedMs = () => (stoodAt ?? Date.now()) - startedAt - stoodMs
  const now = () => startedAt + (passedMs() * blockSeconds * 1000) / blockMs
  const standStill = () => {
    const at = Date.now()
    stoodAt = at
    return () => {
      stoodMs += Date.now() - at
      stoodAt = undefined
    }
  }
  const repeat = (task: () => void) => {
    const timer = setInterval(task, blockMs / 4)
    return () => clearInterval(timer)
  }
  const options = { blockSeconds, now, repeat, log: () => undefined, signsOwnCommands: false }
  const { url, nodeUrl, controlUrl = '', wallets } = untilFileEnds(await startService(options))
  const none = async () => undefined
  return { url, nodeUrl, controlUrl, wallets, blockMs, standStill, outage: none, close: none }
}

const setting = { url: '', network, from: '', privateKey: '', confirmations: 3, pollSeconds: 0.1 }

/** Declares the tests of one language's program. Each language has a file, since the tests mostly wait for blocks. */
export function testDays(language: Language): void {
  // The program splits its --sign command as a POSIX shell does, which breaks Windows paths.
  const command = process.platform === 'win32' ? undefined : commandOf(language, temporaryFolder())
  if (command === undefined) process.stderr.write(`No test of the recipe in ${language}: no compiler, or Windows\n`)
  const testOfProgram = command === undefined ? test.skip : test
  const programWith = (options: Partial<Setting> = {}) => {
    if (command === undefined) throw new Error('not installed')
    return new ExchangeProgram(command, temporaryFolder(), {
      ...setting,
      ...{ signSeconds: 20, options: hurried[language] },
      ...options,
    })
  }

  testOfProgram('has books that equal the chain, through kills, bad orders and signers that fail', async () => {
    const stage = await hurriedStage()
    const { publicKey: from, privateKey } = hotWallet(stage)
    const plan: Plan = {
      ...{ keys: 8, byZkapp: 1, withdrawals: 4, reorganisations: [2, 6], kills: 3, outageMs: 0 },
      ...{ hasFork: false, hasTroubles: true, restores: 1 },
    }
    const program = programWith({ url: stage.url, from, privateKey, signer: troubledSigner })
    const { credited, deposits, ...table } = await exchangeDay(stage, program, plan, () => undefined)
    expect({ ...table, isAllCredited: credited === deposits }).toEqual({
      ...{ keys: 8, keysEqual: 8, isAllCredited: true, withdrawals: { paid: 4 }, walletDifference: '0' },
      raised: raisedIn(plan),
      ...{ reorganisations: 2, kills: 3, restores: 1, secondEnds: [], unnamedKeys: [], reportDifferences: [] },
      troubles: {
        ...{ badOrders: expect.any(Number), wrongInBooks: [], unnamed: [], unsaid: [] },
        ...{ signedLater: ['paid'], waiting: ['cancelled', '0 bids'] },
      },
    })
  })

  testOfProgram('pays no order twice from older copies of its books, and none while it asks', async () => {
    const stage = await hurriedStage()
    const { publicKey: from, privateKey } = hotWallet(stage)
    const program = programWith({ url: stage.url, from, privateKey })
    const table = await restoredBooks(stage, program, 4, { untilSettled: false })
    expect(table).toEqual({
      ...{ restores: 4, asked: expect.any(Number), orders: 12, adopted: expect.any(Number) },
      ...{ signedBeside: [], paidTwice: [], unpaid: [], unsettled: [], invalid: 0 },
    })
  })

  testOfProgram('pays no order twice while second programs start on its folder, and in its place', async () => {
    const stage = await hurriedStage()
    const { publicKey: from, privateKey } = hotWallet(stage)
    const table = await secondPrograms(stage, programWith({ url: stage.url, from, privateKey }), 10, [0.1])
    expect(table).toEqual({ starts: 10, restarts: 1, wrongEnds: [], orders: 11, paidTwice: [], unpaid: [] })
  })

  testOfProgram('reads a memo, and takes nothing else for one', () => {
    expect(misreadMemos(programWith())).toEqual([])
  })
}
