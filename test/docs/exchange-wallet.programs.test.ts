// The exchange's programs of docs/recipes.md beside others that pay from the same wallet: a second program on the folder, older
// books, a second machine. Nobody may be paid twice.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { temporaryFolder } from '../serving.ts'
import {
  branch,
  type Daemon,
  describePrograms,
  moreRounds,
  noPayments,
  order,
  paymentHash,
  paymentOf,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

describePrograms(({ testOfProgram, programAt }) => {
  testOfProgram('ends with 3 where another program runs on the folder, and leaves the books alone', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const first = programAt(url, 0, folder)
    first.start()
    first.order([order('one', 7)])
    await until(() => first.books().withdrawals.one?.state === 'paid')
    for (let index = 0; index < 5; index++) {
      const second = programAt(url, 0, folder)
      first.order([order(`more ${index}`, 8 + index)])
      second.start()
      expect([await second.ended(), second.said]).toEqual([
        3,
        [`another program runs on ${folder}: end that one first, or give this one a wallet and a folder of its own`],
      ])
    }
    const rounds = counts.rounds + 10
    await until(() => counts.rounds >= rounds && paid.payments.length === 6)
    expect(paid.payments.map(({ command }) => command.amount).sort()).toEqual([10, 11, 12, 7, 8, 9])
    // A kill frees the folder.
    await first.kill()
    const third = programAt(url, 0, folder)
    third.order([order('after', 20)])
    third.start()
    await until(() => third.books().withdrawals.after?.state === 'paid')
  })

  const foreignAt = (nonce: number) => paymentOf({ nonce, amount: 8, memo: 'two' })
  const foreign = foreignAt(1)
  const shown = (nonce: number, place: string) =>
    `nonce ${nonce}: ${foreign.hash} is not in these books: 8 nanomina to ${receiver}, memo "two", ${place}`
  const asked = (hash: string) => [
    `  order two asks for this. If it was paid by it, append to orders.jsonl: {"adopt": "${hash}", "order": "two"}`,
    `  if its order is lost, append that order instead; only if it was for no order at all (held then until {"pay": "ID"}: two): {"adopt": "${hash}", "foreign": true}`,
  ]
  const last = (nonce: number) =>
    `nothing is signed, and nothing from nonce ${nonce} on is sent, until each of these has its line`

  interface Place {
    /** 1 unless given. */
    readonly nonce?: number
    readonly height?: number
    readonly isHidden?: boolean
    /** The books have a payment of their own at this nonce, which every node refused. */
    readonly isBesideRefused?: boolean
  }
  testOfProgram.each<[string, Place, string[]]>([
    ['in a block', { height: 100 }, [shown(1, 'in block 100'), ...asked(foreign.hash)]],
    ['in a pool that the next nonce does not count', {}, [shown(1, 'in a pool'), ...asked(foreign.hash)]],
    ['above a gap', { nonce: 3 }, [shown(3, 'in a pool'), ...asked(foreign.hash)]],
    [
      'that took the nonce of a refused one',
      { height: 100, isBesideRefused: true },
      [shown(1, 'in block 100'), ...asked(foreign.hash)],
    ],
    [
      'that nobody shows',
      { height: 100, isHidden: true },
      [
        'nonce 1: a command used it that nobody shows: unknown: no indexer',
        '  connect an indexer to the service, which shows what used it; only if you cannot:',
        '  if it paid an order, append to orders.jsonl: {"adoptNonce": 1, "order": "ID"}',
        '  if its order is lost, append that order instead; only if it was for no order at all (each order without a payment is held then, until {"pay": "ID"}): {"adoptNonce": 1, "foreign": true}',
      ],
    ],
  ])(
    'signs nothing beside a payment %s, until a line adopts it',
    async (_, { nonce = 1, height, isHidden = false, isBesideRefused = false }, lines) => {
      const { url, paid, counts } = await serviceOf(() => standing(100))
      const program = programAt(url, 0)
      program.order([order('one', 7)])
      program.start()
      await until(() => program.books().withdrawals.one?.state === 'paid')
      if (isBesideRefused) {
        paid.sent = { code: 'insufficient-balance' }
        program.order([order('refused', 6)])
        await until(() => program.books().withdrawals.refused?.state === 'refused')
        paid.sent = 'final'
      }
      await program.kill()
      paid.hasIndexer = !isHidden
      if (isHidden) paid.hidden.add(1)
      paid.payments.push({ command: foreignAt(nonce), ...(height !== undefined && { height }) })
      program.forgetSaid()
      program.order([order('two', 8), order('three', 9)])
      program.start()
      await until(() => program.said.length > 0)
      await moreRounds(counts)
      expect([program.said, program.adopt(), program.adopt('--lines')]).toEqual([
        [...lines, last(nonce)],
        [...lines, last(nonce), 'exit code 5'],
        [isHidden ? '' : `{"adopt": "${foreign.hash}", "order": "two"}`, 'exit code 5'],
      ])
      const { withdrawals } = program.books()
      expect([withdrawals.two?.bids, withdrawals.three?.bids, paid.payments.length]).toEqual([0, 0, 2])
      // What nobody shows may have paid any order.
      expect(['one', 'two', 'three'].map((name) => withdrawals[name]?.state)).toEqual([
        ...['paid', 'perhaps paid', isHidden ? 'perhaps paid' : 'waiting'],
      ])
      program.order([isHidden ? { adoptNonce: 1, order: 'two' } : { adopt: foreign.hash, order: 'two' }])
      await until(() => program.books().withdrawals.three?.state === 'paid')
      expect([program.adopt(), paid.payments.map(({ command }) => command.amount)]).toEqual([
        ['nothing is open'],
        [7, 8, 9],
      ])
      expect(program.books().withdrawals.two).toEqual({
        ...{ state: height === undefined ? 'sent' : 'paid', amount: '8', nonce, bids: 1 },
        ...(!isHidden && { hash: foreign.hash, ...(height !== undefined && { fee: '2000000', block: height }) }),
      })
    },
  )

  testOfProgram('keeps a payment that was adopted through a reorganisation there and back', async () => {
    let daemon = branch('', 100)
    const { url, paid, counts } = await serviceOf(() => daemon)
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    const seen = async (next: Daemon, height: number) => {
      daemon = next
      paid.payments.splice(1, 1, { command: foreign, height })
      await moreRounds(counts)
    }
    await seen(branch('', 102), 101)
    program.order([{ adopt: foreign.hash, foreign: true }])
    const open: (readonly string[])[] = []
    for (const [next, height] of [
      [branch('', 103), 101],
      [branch('x', 104), 102],
      [branch('', 105), 101],
      [branch('', 106), 101],
      [branch('', 107), 101],
    ] as const) {
      await seen(next, height)
      open.push(program.adopt())
    }
    const none = ['nothing is open']
    expect(open).toEqual([none, none, none, none, none])
  })

  testOfProgram('says that it has not compared since its start, until it has', async () => {
    const { url } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const [program, cutOff] = [programAt(url, 0, folder), programAt('http://127.0.0.1:9', 0, folder)]
    const notCompared = (place: string) => [
      `not compared since the start or the last decision: the books are at block ${place}`,
      'exit code 1',
    ]
    cutOff.start()
    await until(() => cutOff.said.length > 0)
    expect([cutOff.adopt(), cutOff.books().isCompared]).toEqual([notCompared('0 of an unknown number'), false])
    await cutOff.kill()
    program.start()
    await until(() => program.books().height === 100 && program.books().isCompared === true)
    expect(program.adopt()).toEqual(['nothing is open'])
    await program.kill()
    cutOff.forgetSaid()
    cutOff.start()
    await until(() => cutOff.said.length > 0)
    expect([cutOff.adopt(), cutOff.books().isCompared]).toEqual([notCompared('100 of 100'), false])
  })

  testOfProgram('asks for a start where the books are gone and the orders are not', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    paid.payments.push({ command: paymentOf({ nonce: 0, amount: 7, memo: 'one' }), height: 99 })
    const program = programAt(url, 0)
    program.order([order('one', 7), order('two', 8)])
    program.start()
    await until(() => program.said.length > 0)
    await moreRounds(counts)
    const said = program.said.filter((line) => !line.startsWith('deposits before block 100 '))
    expect([said[0], program.adopt()]).toEqual([
      "orders.jsonl has lines, these books have no signed payment, and the wallet's nonce is 1: nothing is signed",
      [...said, 'exit code 5'],
    ])
    expect(program.books().withdrawals).toMatchObject({
      one: { state: 'perhaps paid' },
      two: { state: 'perhaps paid' },
    })
    program.order([{ start: 0 }])
    await until(() => program.books().foreign?.[0]?.order === 'one')
    expect(program.books().withdrawals).toMatchObject({ one: { state: 'perhaps paid' }, two: { state: 'waiting' } })
    program.order([{ adopt: paymentHash('one'), order: 'one' }])
    await until(() => program.books().withdrawals.two?.state === 'paid')
    expect(paid.payments.map(({ command }) => command.amount)).toEqual([7, 8])
  })

  testOfProgram(
    'signs nothing on a second machine that sees a payment of the first, and names what both signed at once',
    async () => {
      const paid = noPayments()
      paid.sent = 'waits'
      let tip = 100
      const [one, two] = [
        await serviceOf(() => standing(tip), paid, 'one'),
        await serviceOf(() => standing(tip), paid, 'two'),
      ]
      /** Spreads every waiting payment to all pools. */
      const gossip = () => {
        for (const payment of paid.payments) payment.pool = 'every'
      }
      /** Makes a block. For these nonces it takes the payment of the named pool, and the competing one disappears. */
      const mine = (pools: Readonly<Record<number, string>>) => {
        tip++
        const isTaken = ({ command, pool = 'every' }: (typeof paid.payments)[number]) =>
          pools[command.nonce] === undefined || pools[command.nonce] === pool
        const kept = paid.payments.filter((payment) => payment.height !== undefined || isTaken(payment))
        paid.payments.splice(0, Number.POSITIVE_INFINITY, ...kept)
        for (const payment of kept) payment.height ??= tip
        gossip()
      }
      const [folder, copy] = [temporaryFolder(), temporaryFolder()]
      const first = programAt(one.url, 0, folder)
      first.order([order('a', 7)])
      first.start()
      await until(() => paid.payments.length === 1)
      mine({})
      await until(() => first.books().withdrawals.a?.state === 'paid')
      await first.kill()
      first.copyBooks(copy)
      copyFileSync(join(folder, 'orders.jsonl'), join(copy, 'orders.jsonl'))
      const second = programAt(two.url, 0, copy)
      first.start()
      second.start()
      const more = () => Promise.all([moreRounds(one.counts), moreRounds(two.counts)])

      // In turns, one after the other: the later machine must ask.
      for (const [earlier, later, name, amount] of [
        [first, second, 'b', 8],
        [second, first, 'c', 9],
      ] as const) {
        const before = paid.payments.length
        earlier.order([order(name, amount)])
        await until(() => paid.payments.length > before)
        gossip()
        later.order([order(name, amount)])
        await until(() => later.books().foreign !== undefined)
        await more()
        expect([later.books().foreign, later.books().withdrawals[name]?.bids, paid.payments.length]).toEqual([
          [expect.objectContaining({ order: name, nonce: before, state: 'in a pool' })],
          0,
          before + 1,
        ])
        later.order([{ adopt: paid.payments[before]?.command.hash, order: name }])
        mine({})
        await until(() => later.books().withdrawals[name]?.state === 'paid')
      }

      // At once and in different sequences, so that each machine pays another order under a nonce. A block may take one of each.
      first.order([order('d', 10), order('e', 11)])
      second.order([order('e', 11), order('d', 10)])
      await until(() => paid.payments.length === 7)
      mine({ 3: 'one', 4: 'two' })
      for (const program of [first, second]) program.order([order('f', 12)])
      await until(() => [first, second].every((program) => program.books().foreign !== undefined))
      await more()
      const twice = (nonce: number) =>
        expect.objectContaining({ nonce, amount: '10', memo: 'd', state: expect.stringContaining('in block ') })
      expect([
        first.books().foreign,
        second.books().foreign,
        paid.payments.map(({ command }) => command.amount),
      ]).toEqual([[twice(4)], [twice(3)], [7, 8, 9, 10, 10]])
    },
  )

  testOfProgram('settles a withdrawal where comparing has taken half of what may be asked in a minute', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => standing(tip))
    paid.areFinal = false
    const folder = temporaryFolder()
    const hurried = programAt(url, 0, folder)
    hurried.order([order('one', 7)])
    hurried.start()
    await until(() => hurried.books().withdrawals.one?.state === 'included')
    await hurried.kill()
    paid.pages = 30
    const program = programAt(url, 0, folder, [])
    program.start()
    await until(() => program.adopt()[0] === 'nothing is open')
    tip = 130
    const startedAt = performance.now()
    await until(() => program.books().withdrawals.one?.state === 'paid' || performance.now() - startedAt > 20_000)
    expect(program.books().withdrawals.one?.state).toBe('paid')
  })

  testOfProgram(
    'asks for fifty fates, histories and pools a minute at most, however many withdrawals are open',
    async () => {
      const { url, paid, counts } = await serviceOf(() => standing(100))
      paid.areFinal = false
      const folder = temporaryFolder()
      const hurried = programAt(url, 0, folder)
      const orders = Array.from({ length: 52 }, (_, index) => order(`${index}`, 10 + index))
      hurried.order(orders)
      hurried.start()
      await until(() => paid.payments.length === orders.length)
      await hurried.kill()
      counts.costlyAt.length = 0
      programAt(url, 0, folder, []).start()
      await moreRounds(counts, 30)
      const inMinutes = counts.costlyAt.map(
        (at) => counts.costlyAt.filter((each) => each >= at && each < at + 60_000).length,
      )
      expect(Math.max(...inMinutes)).toBeGreaterThan(0)
      expect(Math.max(...inMinutes)).toBeLessThanOrEqual(50)
    },
  )
})
