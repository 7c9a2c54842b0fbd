// Accounts and staking ledgers that are half there.
import { at, changed, isObject, number, type Path } from '../exact-json.ts'
import type { Fault } from '../fault.ts'
import { change, reshaped } from './changes.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

const account = (name: string, path: Path, make: (found: unknown) => unknown): Fault =>
  change({ name, kind: 'account', upstream: 'node', path: ['account', ...path], change: make })

const accountFaults: readonly Fault[] = [
  account('sends an account without nonce', ['nonce'], () => undefined),
  account('sends null for the nonce', ['nonce'], () => null),
  account('sends a huge nonce', ['nonce'], () => '9007199254740992'),
  account('sends an empty timing', ['timing'], () => ({})),
  account('sends null for the timing', ['timing'], () => null),
  account('sends half a timing', ['timing', 'cliffTime'], () => undefined),
  account('sends null in the timing', ['timing', 'vestingPeriod'], () => null),
  account('keeps the locked balance to itself', ['balance', 'locked'], () => null),
  account('sends no locked balance', ['balance', 'locked'], () => undefined),
  account('sends a balance with decimals', ['balance', 'total'], (total) => `${total}.5`),
  account('sends a negative balance', ['balance', 'total'], () => '-1'),
  account('sends null for the delegate', ['delegate'], () => null),
  account('sends an empty delegate', ['delegate'], () => ''),
  account('sends no delegate', ['delegate'], () => undefined),
  account('sends an empty account', [], () => ({})),
  account('sends a list of accounts', [], (found) => [found]),
]

/** A change in what the staking query brings; nothing for any other answer. */
const staking = (name: string, make: (data: Readonly<Record<string, unknown>>) => unknown): Fault =>
  reshaped(name, 'staking', 'indexer', (data) =>
    isObject(data) && Array.isArray(data.delegators) && data.delegators.length + [data.own].flat().length > 0
      ? make(data)
      : undefined,
  )

const rows = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const withoutOwn = (data: Readonly<Record<string, unknown>>) =>
  rows(data.delegators).filter((row) => at(row, 'public_key') !== at(data, 'own', 0, 'public_key'))
const total = ['own', 0, 'delegationTotals', 'totalDelegatedNanomina'] as const
const other = (data: unknown, list: string, key: string, value: unknown) =>
  rows(at(data, list)).length > 0 ? changed(data, [list, 0, key], () => value) : undefined

const stakingFaults: readonly Fault[] = [
  staking('lacks the own row of a ledger', (data) => ({ ...data, own: [] })),
  staking('lacks every row of a ledger', (data) => ({ ...data, any: [], own: [], delegators: [] })),
  staking('has rows, and says that the ledger has none', (data) => ({ ...data, any: [] })),
  staking('lacks the delegators of a ledger', (data) => ({ ...data, delegators: [] })),
  staking('lacks one delegator', (data) => ({ ...data, delegators: rows(data.delegators).slice(1) })),
  staking('lacks the last delegator', (data) => ({ ...data, delegators: rows(data.delegators).slice(0, -1) })),
  staking('does not list who stakes with itself', (data) => ({ ...data, delegators: withoutOwn(data) })),
  staking('lists who does not stake with itself', (data) => other(data, 'own', 'delegate', otherKey)),
  staking('counts a delegator twice', (data) => ({
    ...data,
    delegators: rows(data.delegators).flatMap((row) => [row, row]),
  })),
  staking('has the own row twice', (data) => ({ ...data, own: [...rows(data.own), ...rows(data.own)] })),
  staking('has a total that is too small', (data) => changed(data, total, () => number('1'))),
  staking('has a total of nothing', (data) => changed(data, total, () => number('0'))),
  staking('has a total with decimals', (data) => changed(data, total, () => number('1.5'))),
  staking('has no total', (data) => changed(data, ['own', 0, 'delegationTotals'], () => null)),
  staking('has another balance of a delegator', (data) => other(data, 'delegators', 'balanceNanomina', number('7'))),
  staking('sends a row of another ledger', (data) => other(data, 'delegators', 'ledgerHash', otherStateHash)),
  staking('sends its own row of another ledger', (data) => other(data, 'own', 'ledgerHash', otherStateHash)),
  staking('sends any row of another ledger', (data) => other(data, 'any', 'ledgerHash', otherStateHash)),
  staking('sends the own row of another key', (data) => other(data, 'own', 'public_key', otherKey)),
  staking('sends a row that delegates to another key', (data) => other(data, 'delegators', 'delegate', otherKey)),
  staking('forgets the key own', ({ own: _own, ...data }) => data),
  staking('forgets the key delegators', ({ delegators: _delegators, ...data }) => data),
  staking('forgets the key any', ({ any: _any, ...data }) => data),
  staking('sends null for the delegators', (data) => ({ ...data, delegators: null })),
]

export const ledgerFaults: readonly Fault[] = [...accountFaults, ...stakingFaults]
