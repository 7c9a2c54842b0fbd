// A short day of an exchange whose programs are those of docs/recipes in Python and Go. The whole one is `npm run bench -- exchange-day`.
import { expect, jest, test } from '@jest/globals'
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

// Paths of Windows are no words of the shell that the programs read.
const isWindows = process.platform === 'win32'
const programs = languages.flatMap((language) => {
  const command = isWindows ? undefined : commandOf(language, temporaryFolder())
  if (command !== undefined) return [{ language, command }]
  process.stderr.write(`No test of the recipes in ${language}: it is not installed here, or this is Windows\n`)
  return []
})
const testOfPrograms = programs.length > 0 ? test : test.skip

const setting = { url: '', network, from: '', privateKey: '', confirmations: 3, pollSeconds: 0.1 }
const programOf = (command: (typeof programs)[number]['command'], options: Partial<typeof setting> = {}) =>
  new ExchangeProgram(command, temporaryFolder(), { ...setting, ...options })

const plan = { keys: 8, byZkapp: 1, withdrawals: 2, reorganisations: [2, 6], kills: 2, outageMs: 0, hasFork: false }

// They spend the day at once, each before its own chain.
testOfPrograms(
  'the programs have books that equal the chain after reorganisations, kills and a raised fee',
  async () => {
    const days = programs.map(async ({ language, command }) => {
      const stage = await hurriedStage()
      const { publicKey: from, privateKey } = hotWallet(stage)
      const program = programOf(command, { url: stage.url, from, privateKey })
      const { credited, deposits, ...table } = await exchangeDay(stage, program, plan, () => undefined)
      return { language, ...table, isAllCredited: credited === deposits }
    })
    const right = {
      ...{ keys: 8, keysEqual: 8, isAllCredited: true, withdrawals: { paid: 2 }, raised: 1, walletDifference: '0' },
      ...{ reorganisations: 2, kills: 2 },
    }
    expect(await Promise.all(days)).toEqual(programs.map(({ language }) => ({ language, ...right })))
  },
)

for (const { language, command } of programs) {
  test(`the program in ${language} reads a memo, and takes nothing else for one`, () => {
    const reader = programOf(command)
    const texts = ['', 'rent', 'für Käse 中', 'x'.repeat(32)]
    expect(texts.map((text) => reader.memoOf(memoFromText(text)))).toEqual(texts)
    const [memo, key] = [memoFromText('rent'), 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN']
    const others = ['', 'rent', key, `${memo.slice(0, -1)}x`, `${memo}x`, memo.replace('E', '0')]
    expect(others.map((text) => reader.memoOf(text))).toEqual(others.map(() => undefined))
  })
}
