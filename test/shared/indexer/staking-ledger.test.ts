import { describe, expect, test } from '@jest/globals'
import { withChanges } from '../../../packages/proofs/changed-view.ts'
import type { Indexer } from '../../../shared/chain/port.ts'
import { stakingFields } from '../../../shared/indexer/staking.ts'
import { readStakingLedger } from '../../../shared/indexer/staking-ledger.ts'
import { stakingOperations } from '../../../shared/indexer/staking-questions.ts'
import { minaDecimal } from '../../../shared/mapping/amounts.ts'
import { createLedgerScans, type LedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import { answering, indexerIn } from '../endpoints/asking.ts'
import { late } from '../endpoints/indexer-troubles.ts'
import { alice, bob } from '../mapping/node-wire.ts'
import { stakesRow, stakesWire, stakingRecords, strangeStakesWire } from './indexer-wire.ts'

const ledger = 'jx-staking'
const newScans = (now: () => number = Date.now) => createLedgerScans(now, 1500)
const whole = stakesWire(ledger)
const [own] = whole.stakeOfKey.own
const names = {
  account: 'epochStakingAccount',
  delegators: 'epochDelegators',
  count: 'epochDelegatorCount',
  total: 'epochTotalStakingBalance',
} as const
const { account, delegators, count, total } = stakingRecords('chain', 7)

type Wire = Readonly<Record<keyof typeof whole, object>>

/** @param answerMs how long it takes for the light question before a walk */
function indexerOf(wire: Wire, answerMs = 1) {
  const view = answering(
    Object.fromEntries(Object.entries(wire).map(([operation, data]) => [operation, { data, answerMs }])),
  )
  const asked: string[] = []
  const indexer: Indexer = {
    async ask(operation, variables) {
      asked.push(operation.name)
      return indexerIn(view).ask(operation, variables)
    },
  }
  return { asked, indexer, chain: withChanges(view, { timeLeftMs: () => 20_000, pause: async () => undefined }) }
}

/** The fields that alice has from an indexer, and why others are missing. */
async function fieldsFrom(wire: Wire, scans: LedgerScans = newScans(), { indexer, chain } = indexerOf(wire)) {
  const staker = { publicKey: alice, isProducer: false }
  const answer = await readStakingLedger(ledger, staker, undefined, 12_000, { scans, indexer, chain })
  return stakingFields(answer, names, 7, { state: 'known', value: 'chain' })
}

const everything = {
  fields: {
    epochStakingAccount: account,
    epochDelegators: delegators,
    epochDelegatorCount: count,
    epochTotalStakingBalance: total,
  },
  missing: [],
}
const allMissing = (reason: string) => ({ fields: {}, missing: [{ fields: Object.values(names), reason }] })
const disagree = allMissing(`ledger ${ledger}: own row, delegators and total disagree`)
const ownWith = (changes: object) => ({ ...whole, stakeOfKey: { ...whole.stakeOfKey, own: [{ ...own, ...changes }] } })
const delegatedBy = (rows: readonly object[]) => ({
  ...whole,
  delegatorsOfKey: { ...whole.delegatorsOfKey, delegators: rows },
})
const [ofAlice, ofBob] = whole.delegatorsOfKey.delegators
const thousandRows = Array.from({ length: 1000 }, (_, index) => stakesRow(`B62${index}`, index, alice, ledger))

describe('the staking fields of a key', () => {
  test('are its record, its delegators from the largest balance down, and the total', async () => {
    expect(await fieldsFrom(whole)).toEqual(everything)
  })

  test('have no delegators, which are not asked for, if its row counts none', async () => {
    const alone = { delegate: bob, delegationTotals: { countDelegates: 0, totalDelegatedNanomina: 0 } }
    const wire = ownWith(alone)
    const indexer = indexerOf(wire)
    expect(await fieldsFrom(wire, newScans(), indexer)).toEqual({
      fields: {
        epochStakingAccount: account.map((record) => ({ ...record, delegate: bob })),
        epochDelegators: [],
        epochDelegatorCount: 0,
        epochTotalStakingBalance: '0.000000000',
      },
      missing: [],
    })
    expect(indexer.asked).toEqual(['stakingLedger', 'stakeOfKey'])
  })

  test.each([
    [1000, []],
    [1001, [{ fields: ['epochDelegators'], reason: expect.any(String), isLasting: true }]],
  ])('list the 1,000 largest of %i delegators, and a list that is cut is named', async (countDelegates, missing) => {
    const sum = thousandRows.reduce((total, { balanceNanomina }) => total + BigInt(balanceNanomina), 0n)
    const totalDelegatedNanomina = countDelegates > 1000 ? 83482371134848365n : sum
    const delegationTotals = { countDelegates, totalDelegatedNanomina }
    const ownRow = ownWith({ delegate: bob, delegationTotals })
    const { fields, ...lacking } = await fieldsFrom({
      ...ownRow,
      delegatorsOfKey: delegatedBy(thousandRows).delegatorsOfKey,
    })
    const listed = (fields.epochDelegators ?? []).map(({ pk }) => pk)
    expect(listed).toEqual(thousandRows.map(({ public_key }) => public_key).toReversed())
    expect([fields.epochDelegatorCount, fields.epochTotalStakingBalance, lacking.missing]).toEqual([
      countDelegates,
      minaDecimal(totalDelegatedNanomina),
      missing,
    ])
  })

  test('have an empty record and nothing else if a ledger first seen a minute ago shows no row of the key', async () => {
    let now = 0
    const scans = newScans(() => now)
    const without = { ...whole, stakeOfKey: { ...whole.stakeOfKey, own: [] } }
    const early = `ledger ${ledger}: first seen less than a minute ago, rows may still be missing`
    for (now of [5000, 64_999]) expect(await fieldsFrom(without, scans)).toEqual(allMissing(early))
    now = 65_000
    const reason = 'the ledger shows no row of the key'
    expect(await fieldsFrom(without, scans)).toEqual({
      fields: { epochStakingAccount: [] },
      missing: [{ fields: ['epochDelegators', 'epochDelegatorCount', 'epochTotalStakingBalance'], reason }],
    })
  })

  describe('of a ledger that the indexer files under another genesis block', () => {
    const berkeley = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'
    /** It has the rows there, and shows none under its own chain's. */
    function filedElsewhere(rows: readonly object[] = whole.stakeOfKey.own) {
      const elsewhere = { ...whole, stakeOfKey: { ...whole.stakeOfKey, own: rows } }
      const empty = { stakingLedger: { ...whole.stakingLedger, first: [] } }
      const asked: object[] = []
      const [there, here] = [indexerOf(elsewhere), indexerOf({ ...elsewhere, ...empty })]
      const indexer: Indexer = {
        ask(operation, variables) {
          asked.push({ [operation.name]: variables })
          return (variables.genesis === berkeley ? there : here).indexer.ask(operation, variables)
        },
      }
      return { ...there, variables: asked, indexer }
    }

    test('are read there', async () => {
      const indexer = filedElsewhere()
      expect(await fieldsFrom(whole, newScans(), indexer)).toEqual(everything)
      const light = [ledger, berkeley].map((_, index) => ({
        stakingLedger: { ledgerHash: ledger, ...(index === 1 && { genesis: berkeley }) },
      }))
      expect(indexer.variables).toEqual([
        ...light,
        {
          stakeOfKey: { ledgerHash: ledger, genesis: berkeley, publicKey: alice, order: 'STAKE_ASC', rows: 2 },
        },
        ...light,
        { delegatorsOfKey: { ledgerHash: ledger, genesis: berkeley, publicKey: alice, limit: 2 } },
      ])
    })

    test('are missing if another ledger has a row of the key there', async () => {
      const reason = `ledger ${ledger}: another one is filed in the same place`
      expect(
        await fieldsFrom(whole, newScans(), filedElsewhere([...whole.stakeOfKey.own, ...whole.stakeOfKey.own])),
      ).toEqual(allMissing(reason))
    })
  })

  test('are missing for a ledger that the indexer does not have, though it shows rows under its hash', async () => {
    const lacks = allMissing(`the indexer does not have ledger ${ledger}`)
    const strange = strangeStakesWire(ledger)
    expect(await fieldsFrom(strange)).toEqual(lacks)
    expect(await fieldsFrom({ ...strange, stakingLedger: whole.stakingLedger })).toEqual(lacks)
    expect(await fieldsFrom({ ...whole, delegatorsOfKey: strange.delegatorsOfKey })).toMatchObject({
      missing: [{ fields: ['epochDelegators'] }],
    })
  })

  test.each<[string, Wire, string]>([
    [
      'the indexer shows no row of the ledger that it names',
      { ...whole, stakingLedger: { ...whole.stakingLedger, first: [] } },
      `the indexer shows no row of ledger ${ledger}`,
    ],
    ['the rows are of another epoch than the ledger', ownWith({ epoch: 3 }), `ledger ${ledger}: rows of another epoch`],
    [
      'the answer is about another key',
      ownWith({ public_key: bob }),
      'stakeOfKey.own: does not fit the question, or itself',
    ],
    [
      'the answer is about another ledger',
      stakesWire('jx-other'),
      'stakingLedger.known: does not fit the question, or itself',
    ],
  ])('are missing where %s', async (_what, wire, reason) => {
    expect(await fieldsFrom(wire)).toEqual(allMissing(reason))
  })

  test.each<[string, Wire]>([
    ['fewer delegators are listed than counted', delegatedBy([ofBob ?? {}])],
    ['the listed delegators do not make the total', delegatedBy([{ ...ofBob, balanceNanomina: 1 }, ofAlice ?? {}])],
    [
      'the key delegates to itself and is not listed',
      delegatedBy([ofBob ?? {}, { ...ofAlice, public_key: 'B62other' }]),
    ],
    ['the key is listed and delegates elsewhere', ownWith({ delegate: bob })],
    [
      'a total stands beside a count of 0',
      ownWith({ delegationTotals: { countDelegates: 0, totalDelegatedNanomina: 5 } }),
    ],
    [
      'the total is below the sum of the thousand listed',
      {
        ...ownWith({ delegationTotals: { countDelegates: 1001, totalDelegatedNanomina: 1 } }),
        delegatorsOfKey: delegatedBy(thousandRows).delegatorsOfKey,
      },
    ],
  ])('are missing and not kept where %s', async (_what, wire) => {
    const scans = newScans()
    expect(await fieldsFrom(wire, scans)).toEqual(disagree)
    expect(scans.kept(ledger, alice)).toBeUndefined()
  })
})

describe('the walks through a staking ledger', () => {
  test('may take long, on a connection that nothing else waits for', () => {
    const [light, ...walks] = stakingOperations
    expect(light).not.toHaveProperty('isPatient')
    expect(walks).toMatchObject(walks.map(() => ({ isPatient: true, hasOwnConnection: true })))
    expect(walks).toHaveLength(2)
  })

  test('do not start after a light question of more than 150 ms, or for as long again', async () => {
    let now = 0
    const scans = newScans(() => now)
    const indexer = indexerOf(whole, 3000)
    const reason = 'the indexer took 3000 ms for a light question: it walks a ledger'
    expect(await fieldsFrom(whole, scans, indexer)).toEqual(allMissing(reason))
    expect(indexer.asked).toEqual(['stakingLedger'])
    now = 2999
    const rest = 'the indexer has just been seen to walk a ledger for somebody else'
    expect(await fieldsFrom(whole, scans)).toEqual(allMissing(rest))
    now = 3000
    expect(await fieldsFrom(whole, scans, indexerOf(whole, 150))).toEqual(everything)
  })

  test('rest for a second after a light question that ran out of time', async () => {
    let now = 0
    const scans = newScans(() => now)
    const silent = { ...indexerOf(whole), indexer: { ask: () => Promise.reject(late) } }
    expect(await fieldsFrom(whole, scans, silent)).toEqual(allMissing('too late'))
    now = 999
    expect((await fieldsFrom(whole, scans)).fields).toEqual({})
    now = 1000
    expect(await fieldsFrom(whole, scans)).toEqual(everything)
  })

  test('resume with the delegators if the key’s own row has been read', async () => {
    const scans = newScans()
    const cut = { ...whole, delegatorsOfKey: {} }
    expect(await fieldsFrom(cut, scans)).toEqual({
      fields: { epochStakingAccount: account, epochDelegatorCount: count, epochTotalStakingBalance: total },
      missing: [{ fields: ['epochDelegators'], reason: 'delegatorsOfKey.known: wanted a list, got undefined' }],
    })
    const indexer = indexerOf(whole)
    expect(await fieldsFrom(whole, scans, indexer)).toEqual(everything)
    expect(indexer.asked).toEqual(['stakingLedger', 'delegatorsOfKey'])
  })

  test('wait for the one under way, and share its answer', async () => {
    const scans = newScans()
    const indexer = indexerOf(whole)
    const patient = { ...indexer, chain: withChanges(indexer.chain, { pause: () => new Promise(() => undefined) }) }
    const answers = await Promise.all([fieldsFrom(whole, scans, patient), fieldsFrom(whole, scans, patient)])
    expect(answers).toEqual([everything, everything])
    expect(indexer.asked).toHaveLength(4)
  })

  test('are given up for a key whose turn does not come in time', async () => {
    const scans = newScans()
    const reason = 'no time left to walk a staking ledger'
    const answers = await Promise.all([fieldsFrom(whole, scans), fieldsFrom(whole, scans)])
    expect(answers).toEqual([everything, allMissing(reason)])
    const indexer = indexerOf(whole)
    const late = { ...indexer, chain: withChanges(indexer.chain, { timeLeftMs: () => 11_999 }) }
    expect(await fieldsFrom(whole, newScans(), late)).toEqual(allMissing(reason))
  })
})
