// A command whose wallet computed another hash than the node: the client knows it by its terms, and takes no service's word
// that it was replaced by itself. Nothing here waits: patience is over at once.
import { describe, expect, test } from '@jest/globals'
import { resume } from '../../packages/client/examples/resume.ts'
import type { InclusionOptions } from '../../packages/client/src/client.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { network, type Scripted, scriptedClient } from './scripted-service.ts'
import { delegation, payload, payment, shownPayment } from './signed.ts'

const walletsHash = 'CkpWallet'
const own = { ...shownPayment, amount: 1_500_000_000, fee: 10_000_000 }
const searched = { pool: true, fromHeight: 81, toHeight: 100, nodes: 1, indexer: false }
const terms = {
  ...{ from: payload.from, nonce: 7, validUntil: 4_294_967_295 },
  ...{ to: payload.to, fee: own.fee, memo: own.memo, amount: own.amount },
}
const block = { stateHash: '3N80', blockHeight: 80, dateTime: '2026-01-01T11:00:00.000Z' }
const labelled = (height: number) => ({
  'x-chain-height': String(height),
  'x-chain-state-hash': block.stateHash,
  'x-chain-time': '2026-01-01T12:00:00.000Z',
})
// A search begins at the tip under which a command is not found, and counts from that of the answer with its block.
const headers = labelled(block.blockHeight)

const fate = (state: object): Scripted => ({
  headers,
  body: { transaction: { hash: walletsHash, ...state, terms, searched } },
})
const blockOn = (previousStateHash: string, ...userCommands: object[]): Scripted => ({
  headers: labelled(100),
  body: { block: { ...block, canonical: true, protocolState: { previousStateHash }, transactions: { userCommands } } },
})
const blockWith = (...userCommands: object[]) => blockOn('3N79', ...userCommands)
/** Of another command of the owner's. */
const pendingFate = fate({ state: 'absent', sending: 'unknown' })
const asNumbers = { amount: BigInt(own.amount), fee: BigInt(own.fee) }

/** The result of a wait without patience, and the paths that were asked. */
async function waited(answers: readonly Scripted[], options: InclusionOptions = {}) {
  const { client, asked } = scriptedClient(answers)
  const inclusion = await client.waitForInclusion(payment, walletsHash, { patienceMs: 0, ...options })
  return { inclusion, paths: asked.map(({ url }) => new URL(url).pathname) }
}
const question = `/transactions/${walletsHash}`

describe('the question for a command', () => {
  const first = `from=${payload.from}&nonce=7&valid_until=4294967295`
  const further = `to=${payload.to}&fee=10000000&memo=${memoFromText('memo')}`
  const base = `https://service.example${question}`

  test.each([
    ['of a payment, all its terms', payment, `?${first}&${further}&amount=1500000000`],
    ['of a delegation, all its terms', delegation, `?${first}&${further}`],
    ['of three terms, these', { from: payload.from, nonce: 7, validUntil: 4_294_967_295 }, `?${first}`],
    ['of a hash alone, none', undefined, ''],
  ])('has, %s', async (_, given, query) => {
    const { client, asked } = scriptedClient([fate({ state: 'pending' })])
    await client.transaction(walletsHash, given)
    expect(asked.map(({ url }) => url)).toEqual([base + query])
  })

  test('is not asked for a memo that no chain takes', async () => {
    const { client, asked } = scriptedClient([fate({ state: 'pending' })])
    const data = { ...payload, memo: 'x'.repeat(33) }
    const long = { ...payment, payload: data }
    await expect(client.transaction(walletsHash, long)).rejects.toThrow(RangeError)
    await expect(client.waitForInclusion(long, walletsHash)).rejects.toThrow(RangeError)
    expect(asked).toEqual([])
  })
})

describe('a command that the service finds by its terms', () => {
  const place = { block, confirmations: 20 }

  test('is included, under the hash that the chain has', async () => {
    const { inclusion } = await waited([fate({ state: 'included', chainHash: '5Ju', ...place, command: own })])
    const command = { ...own, ...asNumbers }
    expect(inclusion).toEqual({ state: 'included', chainHash: '5Ju', ...place, command })
  })

  test('is asked for by that hash from then on', async () => {
    const pending = fate({ state: 'pending', chainHash: '5Ju', command: own })
    const included = fate({ state: 'included', ...place, command: own })
    const { inclusion, paths } = await waited([pending, included], { patienceMs: 60_000 })
    expect(paths).toEqual([question, '/transactions/5Ju'])
    expect(inclusion).toMatchObject({ state: 'included', chainHash: '5Ju' })
  })

  test.each([
    ['in a pool', { sending: 'rival-pending' }, 'pending'],
    ['in a pool, by a node that lags', { sending: 'unknown' }, 'pending'],
  ])('and calls another one is not another one %s', async (_, sending, because) => {
    const { inclusion } = await waited([fate({ state: 'absent', ...sending, by: '5Ju', command: own })])
    expect(inclusion).toMatchObject({ state: 'undecided', because })
  })

  test.each<[string, object]>([
    ['calls replaced', { state: 'replaced', by: '5Ju', block, confirmations: 20, command: own }],
    ['cannot tell from another one', { state: 'absent', sending: 'nonce-used', by: '5Ju', command: own }],
  ])('and %s is included, or failed, as its block says', async (_, state) => {
    const other = { ...own, nonce: 8, hash: '5Jother' }
    const { inclusion, paths } = await waited([fate(state), blockOn(block.stateHash, other), blockWith(own)])
    const command = { ...own, ...asNumbers }
    expect(inclusion).toEqual({ state: 'included', chainHash: '5Ju', block, confirmations: 21, command })
    expect(paths).toEqual([question, '/blocks/height/80', '/blocks/height/79'])
    const failing = await waited([fate(state), blockWith({ ...own, failureReason: 'Overflow' })])
    expect(failing.inclusion).toMatchObject({ state: 'failed', failureReason: 'Overflow', chainHash: '5Ju' })
  })
})

test('a payment that has expired may be signed anew with its nonce alone, since a raise of another device may wait', async () => {
  const expired = scriptedClient([fate({ state: 'expired', confirmations: 15 })]).client
  const { payload: data, signature, publicKey } = payment
  const kept = { network, signed: { data, signature, publicKey }, hash: walletsHash, sentAtTip: undefined }
  expect(await resume(expired, kept)).toBe('not paid, and never will be: sign another one only with its nonce')
})

test('a payment whose nonce was used before it was sent, by a command that no block shows, is not to be signed anew', async () => {
  const unseen = fate({ state: 'absent', sending: 'nonce-used' })
  const canonical: Scripted = { headers: labelled(100), body: { block: { canonical: true } } }
  const { client } = scriptedClient([unseen, canonical, unseen, canonical])
  const { payload: data, signature, publicKey } = payment
  const kept = {
    network,
    signed: { data, signature, publicKey },
    hash: walletsHash,
    sentAtTip: { height: 85, stateHash: '3N85', time: '2026', nodeSync: 'SYNCED' },
  }
  expect(await resume(client, kept)).toBe('replaced by a command of yours that is not shown: look for it')
})

/** Its owner's other signatures of the nonce, by their hashes. */
const rivalsOf = (fees: Readonly<Record<string, string>>) =>
  Object.entries(fees).map(([hash, fee]) => ({ hash, signed: { ...payment, payload: { ...payload, fee } } }))

describe('a command is replaced', () => {
  const replaced = (command: object, confirmations = 15) =>
    fate({ state: 'replaced', by: '5Jrival', block, confirmations, command: { ...own, hash: '5Jrival', ...command } })
  const differences: [string, object][] = [
    ['receiver', { to: 'B62other' }],
    ['amount', { amount: 1 }],
    ['fee', { fee: 20_000_000 }],
    ['memo', { memo: memoFromText('another') }],
    ['kind', { isDelegation: true }],
  ]

  test.each(differences)('by one with another %s, which is shown, with 15 blocks on top', async (_, change) => {
    const early = await waited([replaced(change, 14)], { confirmations: 1 })
    expect(early.inclusion).toMatchObject({ state: 'unconfirmed', sofar: { state: 'replaced', confirmations: 14 } })
    const { inclusion, paths } = await waited([replaced(change)])
    expect(inclusion).toMatchObject({
      state: 'replaced',
      by: '5Jrival',
      confirmations: 15,
      command: { hash: '5Jrival' },
    })
    expect(paths).toEqual([question])
  })

  test.each(differences)('by one with another %s in an older block', async (_, change) => {
    const used = fate({ state: 'absent', sending: 'nonce-used' })
    const { inclusion, paths } = await waited([used, blockWith({ ...own, hash: '5Jrival', ...change })])
    expect(inclusion).toMatchObject({
      state: 'replaced',
      by: '5Jrival',
      confirmations: 20,
      command: { hash: '5Jrival' },
    })
    expect(paths).toEqual([question, '/blocks/height/80'])
  })

  describe('by another one of its owner, whose hash of it an indexer has wrong,', () => {
    const rivals = rivalsOf({ '5Jfirst': '20000000', '5Jsecond': '30000000' })
    const shown = { ...own, hash: '5Jwrong', fee: 30_000_000 }
    const { id: _, ...indexed } = shown
    const place = { block, confirmations: 15 }
    const byIndexer = { by: '5Jwrong', hashFromIndexer: true }

    test.each<[string, readonly Scripted[]]>([
      ['where the service says so', [fate({ state: 'replaced', ...byIndexer, ...place, command: shown })]],
      [
        'where a block does',
        [fate({ state: 'absent', sending: 'nonce-used' }), pendingFate, pendingFate, blockWith(indexed)],
      ],
    ])('is named under the hash that its owner has, %s', async (_where, answers) => {
      const { inclusion } = await waited(answers, { rivals })
      const named = { by: '5Jsecond', chainHash: '5Jwrong', isNamed: true, hashFromIndexer: true }
      expect(inclusion).toMatchObject({ state: 'replaced', ...named, command: { hash: '5Jwrong' } })
    })

    test('is not named where the indexer has its memo with a loss, which says nothing of who signed it', async () => {
      const garbled = { ...indexed, memo: memoFromText('mem\uFFFD') }
      const { inclusion } = await waited([fate({ state: 'replaced', ...byIndexer, ...place, command: garbled })], {
        rivals,
      })
      expect(inclusion).toEqual({
        ...{ state: 'replaced', ...byIndexer, ...place },
        command: { ...garbled, amount: asNumbers.amount, fee: 30_000_000n },
      })
    })
  })

  test('by another one of its owner that is in a block, also where the service cannot say what became of it', async () => {
    const rival = { hash: '5Jrival', signed: { ...payment, payload: { ...payload, fee: '20000000' } } }
    const answers = [
      fate({ state: 'absent', sending: 'unknown' }),
      fate({ state: 'included', block, confirmations: 15 }),
    ]
    const { inclusion, paths } = await waited(answers, { rivals: [rival] })
    expect(inclusion).toMatchObject({ state: 'replaced', by: '5Jrival', confirmations: 15 })
    expect(paths).toEqual([question, '/transactions/5Jrival'])
  })

  test('by its rival that the same client has settled and whose block stands, even when the service says no more of either', async () => {
    const raise = { hash: '5Jraise', signed: { ...payment, payload: { ...payload, fee: '20000000' } } }
    const lost: Scripted = { status: 503, body: { message: 'Upstream unavailable.' } }
    const { client, asked } = scriptedClient([fate({ state: 'included', block, confirmations: 17 }), lost, blockWith()])
    await client.waitForInclusion(raise.signed, raise.hash, { patienceMs: 0 })
    const options = { rivals: [raise], patienceMs: 0 }
    const inclusion = await client.waitForInclusion(payment, walletsHash, options)
    expect(inclusion).toEqual({
      ...{ state: 'replaced', by: '5Jraise', chainHash: '5Jraise', isNamed: true },
      block,
      confirmations: 20,
    })
    const paths = asked.map(({ url }) => new URL(url).pathname)
    expect(paths).toEqual(['/transactions/5Jraise', question, `/blocks/${block.stateHash}`])
  })

  describe('though of another one of its owner nobody says anything,', () => {
    const lost: Scripted = { status: 503, body: { message: 'Upstream unavailable.' } }
    const rivals = rivalsOf({ '5Jsilent': '20000000', '5Jrival': '30000000' })

    test.each<[string, readonly Scripted[], string]>([
      ['by the next one, which is in a block', [fate({ state: 'included', block, confirmations: 15 })], '5Jrival'],
      [
        'by what an older block shows',
        [fate({ state: 'absent', sending: 'nonce-used' }), blockWith({ ...own, hash: '5Jolder', fee: 40_000_000 })],
        '5Jolder',
      ],
    ])('%s', async (_, further, by) => {
      const used = fate({ state: 'absent', sending: 'nonce-used' })
      const { inclusion } = await waited([used, lost, ...further], { rivals })
      expect(inclusion).toMatchObject({ state: 'replaced', by })
    })

    test('only where something else proves it', async () => {
      const used = fate({ state: 'absent', sending: 'nonce-used' })
      const { inclusion } = await waited([used, lost, lost], { rivals })
      expect(inclusion).toMatchObject({ state: 'undecided', because: 'no-answer' })
    })
  })

  test('never by one of which an indexer shows another memo, since that may be its own with a loss', async () => {
    const used = fate({ state: 'absent', sending: 'nonce-used' })
    const { id: _, ...indexed } = { ...own, hash: '5Jwrong', memo: memoFromText('mem\uFFFD') }
    const { inclusion } = await waited([used, blockWith(indexed)])
    expect(inclusion).toMatchObject({ state: 'undecided', because: 'nonce-used' })
  })

  test('by a zkApp command, which is not shown, but only where all terms were heard', async () => {
    const byZkapp = { state: 'replaced', by: '5Jzkapp', block, confirmations: 15 }
    expect((await waited([fate(byZkapp)])).inclusion).toEqual(byZkapp)
    const { from, nonce, validUntil } = terms
    const deaf = { headers, body: { transaction: { ...byZkapp, terms: { from, nonce, validUntil }, searched } } }
    const { inclusion } = await waited([deaf, { status: 404, headers, body: { message: 'No.' } }])
    expect(inclusion).toMatchObject({ state: 'undecided', because: 'nonce-used' })
  })
})
