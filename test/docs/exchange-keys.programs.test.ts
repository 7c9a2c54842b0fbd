// Deposits to keys that the exchange's programs of docs/recipes.md did not watch from the first block of their books.
import { expect } from '@jest/globals'
import { createRandom, integerBetween } from '../../packages/testnet/random.ts'
import { temporaryFolder } from '../serving.ts'
import { blockAt, branch, describePrograms, keyAt, moreRounds, serviceOf, until } from './exchange-service.ts'

/** What keys get of the blocks that are named by them. */
const credits = (...blocks: readonly (readonly [branch: string, height: number])[]) =>
  Object.fromEntries(blocks.map(([name, height]) => [keyAt(name, height), `${height}`]))

describePrograms(({ testOfProgram, programAt }) => {
  testOfProgram(
    'credits a late key from the block that a person names, beside what is credited, through a reorganisation and a kill',
    async () => {
      let daemon = branch('', 110)
      let isStuck = false
      const { url, counts } = await serviceOf((path) => {
        const height = Number(/^\/blocks\/height\/(\d+)$/.exec(path)?.[1])
        // The block taken last is asked for all the same.
        if (isStuck && height > 102 && height < 110) throw new Error('stuck')
        return daemon
      })
      const folder = temporaryFolder()
      const program = programAt(url, 0, folder)
      program.addKeys([keyAt('', 100)])
      program.start('--from-height', '98')
      await until(() => program.books().height === 110)
      const late = [keyAt('', 97), keyAt('', 99), keyAt('', 102), keyAt('x', 105)].sort()
      program.addKeys(late)
      await until(() => program.said.length === 4)
      await moreRounds(counts)
      const leftOut = (key: string) =>
        `deposits to ${key} before block 111 are not in these books: --from-height 98 credits them`
      const gapsOf = (...options: readonly string[]) =>
        program
          .reportOf(options)
          .stderr.split('\n')
          .filter((line) => line.startsWith('deposits to'))
      const walking = (height: number) =>
        `walking again from block ${height}, to credit what is missing: what is credited stays`
      const began = { height: 98, time: blockAt('', 98).dateTime }
      const shown = () => {
        const { deposits, depositsFrom, walk } = program.books()
        return { deposits, depositsFrom, walk }
      }
      // Block 110 is of the 19th.
      expect([
        program.said,
        gapsOf('--day', '2026-01-19'),
        gapsOf('--day', '2026-01-20'),
        gapsOf('--key', late[1] ?? ''),
        gapsOf('--key', keyAt('', 100)),
        shown(),
      ]).toEqual([
        ...[late.map(leftOut), late.map(leftOut), [], [leftOut(late[1] ?? '')], []],
        {
          deposits: credits(['', 100]),
          depositsFrom: { ...began, keys: Object.fromEntries(late.map((key) => [key, 111])) },
        },
      ])
      await program.kill()

      isStuck = true
      program.forgetSaid()
      program.start('--from-height', '98')
      await until(() => program.books().walk?.height === 102)
      const { depositsFrom } = shown()
      const underWay = {
        deposits: credits(['', 99], ['', 100], ['', 102]),
        depositsFrom,
        walk: { from: 98, height: 102 },
      }
      expect(shown()).toEqual(underWay)
      await program.kill()
      program.start()
      await moreRounds(counts)
      expect(shown()).toEqual(underWay)
      isStuck = false
      daemon = branch('x', 112)
      await until(() => program.books().height === 112 && program.books().walk === undefined)
      const whole = credits(['', 99], ['', 100], ['x', 105])
      expect([shown(), program.books().takenBack?.map(({ height }) => height)]).toEqual([
        { deposits: whole, depositsFrom: began },
        [102],
      ])
      await program.kill()

      // Below the books' first block, so for all keys.
      isStuck = true
      program.start('--from-height', '95')
      await until(() => program.books().walk?.height === 102)
      const more = { ...whole, ...credits(['', 97]) }
      expect(shown()).toEqual({ deposits: more, depositsFrom: began, walk: { from: 95, height: 102 } })
      isStuck = false
      await until(() => program.books().walk === undefined)
      expect(shown()).toEqual({ deposits: more, depositsFrom: { height: 95, time: blockAt('', 95).dateTime } })
      await program.kill()
      // What is walked stays walked.
      program.start('--from-height', '95')
      await moreRounds(counts)
      expect(program.said.filter((line) => /walk|deposits/.test(line))).toEqual(
        // Each start says what is under way.
        [
          ...[walking(98), walking(98), 'the walk from block 98 is over'],
          ...[walking(95), 'the walk from block 95 is over'],
        ],
      )
    },
  )

  testOfProgram(
    'walks again without a credit more or less, on whichever branch and whenever it is killed',
    async () => {
      const random = createRandom('walk again')
      let daemons = [branch('', 108)]
      const { url, counts } = await serviceOf(
        () => daemons[integerBetween(random, 0, daemons.length - 1)] ?? branch('', 108),
      )
      const program = programAt(url, 0)
      // One of before the books, one of each branch.
      const keys = [keyAt('', 97), ...['', 'x', 'y'].map((name) => keyAt(name, 104))]
      program.start('--from-height', '96')
      await until(() => program.books().height === 108)
      program.addKeys(keys)
      await until(() => program.said.length > 0)
      for (const [name, tip] of [
        ['x', 111],
        ['y', 113],
        ['', 116],
        ['y', 119],
      ] as const) {
        await program.kill()
        program.start('--from-height', '96')
        // The node that has not followed yet answers too.
        daemons = [...daemons.slice(-1), branch(name, tip)]
        await moreRounds(counts, integerBetween(random, 1, 6))
      }
      daemons = daemons.slice(-1)
      await until(() => program.books().height === 119 && program.books().walk === undefined)
      const { deposits, depositsFrom } = program.books()
      expect([deposits, depositsFrom?.keys]).toEqual([credits(['', 97], ['y', 104]), undefined])
    },
  )
})
