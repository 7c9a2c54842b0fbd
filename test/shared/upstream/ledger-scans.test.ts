import { describe, expect, test } from '@jest/globals'
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import { stakesRow } from '../indexer/indexer-wire.ts'

const rowOf = (key: string) => ({ ...stakesRow(key, 5, key, 'jx'), balanceNanomina: 5n })
const rowsOf = (key: string, delegators: number) => ({
  own: { ...rowOf(key), delegationTotals: { countDelegates: delegators, totalDelegatedNanomina: 5n } },
  delegators: Array.from({ length: delegators }, () => rowOf(key)),
})

const forever = () => new Promise<void>(() => undefined)

describe('ledger scans', () => {
  test('run one at a time, in the order of asking', async () => {
    const scans = createLedgerScans(Date.now, 1500)
    const got: string[] = []
    const take = async (name: string) => {
      if (await scans.takeTurn(forever)) got.push(name)
    }
    await take('first')
    const others = [take('second'), take('third')]
    expect(got).toEqual(['first'])
    scans.endTurn()
    await others[0]
    expect(got).toEqual(['first', 'second'])
    scans.endTurn()
    await others[1]
    expect(got).toEqual(['first', 'second', 'third'])
    scans.endTurn()
    await take('fourth')
    expect(got).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('pass over a turn that was given up, and end the wait of one that came', async () => {
    const scans = createLedgerScans(Date.now, 1500)
    await scans.takeTurn(forever)
    const { promise: patience, resolve: giveUp } = Promise.withResolvers<void>()
    const impatient = scans.takeTurn(() => patience)
    let signal: AbortSignal | undefined
    const patient = scans.takeTurn((settled) => {
      signal = settled
      return forever()
    })
    giveUp()
    expect(await impatient).toBe(false)
    scans.endTurn()
    expect(await patient).toBe(true)
    expect(signal?.aborted).toBe(true)
  })

  test('forget the rows used least recently when they are full', () => {
    const scans = createLedgerScans(Date.now, 1500, 6)
    scans.keep('jx', 'a', rowsOf('a', 1))
    scans.keep('jx', 'b', rowsOf('b', 1))
    scans.kept('jx', 'a')
    scans.keep('jx', 'c', rowsOf('c', 2))
    expect(['a', 'b', 'c'].map((key) => scans.kept('jx', key))).toEqual([rowsOf('a', 1), undefined, rowsOf('c', 2)])
    scans.keep('jx', 'e', rowsOf('e', 0))
    expect(['a', 'c', 'e'].map((key) => scans.kept('jx', key)?.own.public_key)).toEqual(['a', 'c', 'e'])
    scans.keep('jx', 'd', rowsOf('d', 6))
    expect(['a', 'c', 'd'].map((key) => scans.kept('jx', key))).toEqual([undefined, undefined, undefined])
  })
})
