// A short day of an exchange whose programs are those of docs/recipes in Python and Go. The whole one is `npm run bench -- exchange-day`.
import { describe, expect, jest, test } from '@jest/globals'
import { startService } from '../../local/start/service.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { exchangeDay, hotWallet, network } from '../../verification/exchange-day/day.ts'
import { commandOf, ExchangeProgram, languages } from '../../verification/exchange-day/program.ts'
import type { Stage } from '../../verification/exchange-day/stage.ts'
import { temporaryFolder, untilFileEnds } from '../serving.ts'

// A compiler runs here, perhaps on a busy machine.
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

describe.each(languages)('the program in %s', (language) => {
  // Paths of Windows are no words of the shell that the programs read.
  const command = process.platform === 'win32' ? undefined : commandOf(language, temporaryFolder())
  if (command === undefined)
    process.stderr.write(`No test of the recipes in ${language}: it is not installed here, or this is Windows\n`)
  const testWhereInstalled = command === undefined ? test.skip : test
  const setting = { url: '', network, from: '', privateKey: '', confirmations: 3, pollSeconds: 0.1 }
  const program = (options: Partial<typeof setting> = {}) => {
    if (command === undefined) throw new Error('not installed')
    return new ExchangeProgram(command, temporaryFolder(), { ...setting, ...options })
  }

  testWhereInstalled('has books that equal the chain after reorganisations, kills and a raised fee', async () => {
    const stage = await hurriedStage()
    const { publicKey: from, privateKey } = hotWallet(stage)
    const plan = {
      keys: 12,
      byZkapp: 2,
      withdrawals: 3,
      reorganisations: [2, 6],
      kills: 2,
      outageMs: 0,
      hasFork: false,
    }
    const table = await exchangeDay(stage, program({ url: stage.url, from, privateKey }), plan, () => undefined)
    expect(table).toMatchObject({ keysEqual: 12, withdrawals: { paid: 3 }, raised: 1, walletDifference: '0', kills: 2 })
    expect(table.credited).toBe(table.deposits)
  })

  testWhereInstalled('reads a memo, and takes nothing else for one', () => {
    const reader = program()
    const texts = ['', 'rent', 'für Käse 中', 'x'.repeat(32)]
    expect(texts.map((text) => reader.memoOf(memoFromText(text)))).toEqual(texts)
    const [memo, key] = [memoFromText('rent'), 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN']
    const others = ['', 'rent', key, `${memo.slice(0, -1)}x`, `${memo}x`, memo.replace('E', '0')]
    expect(others.map((text) => reader.memoOf(text))).toEqual(others.map(() => undefined))
  })
})
