// Accounts and staking ledgers that are half there.
import { absent, at, changed, number, type Path } from '../exact-json.ts'
import type { Fault, TrueExchange } from '../fault.ts'
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

type Rows = readonly unknown[]

/** A change of one list in the answers about a staking ledger; nothing for an answer without it, or where it is empty. */
const staking = (
  name: string,
  key: 'known' | 'first' | 'own' | 'delegators',
  make: (rows: Rows, exchange: TrueExchange) => unknown,
): Fault =>
  reshaped(name, 'staking', 'indexer', (data, exchange) => {
    const rows = at(data, 'known') === undefined ? undefined : at(data, key)
    return Array.isArray(rows) && rows.length > 0 ? changed(data, [key], () => make(rows, exchange)) : undefined
  })

/** Another value in the first row. */
const other = (name: string, key: Parameters<typeof staking>[1], path: Path, value: unknown) =>
  staking(name, key, (rows) => changed(rows, [0, ...path], () => value))

const one = number('1')
const total = ['delegationTotals', 'totalDelegatedNanomina'] as const
const count = ['delegationTotals', 'countDelegates'] as const

const stakingFaults: readonly Fault[] = [
  staking('does not have the ledger', 'known', () => []),
  staking('shows no row of the ledger', 'first', () => []),
  staking('lacks the own row of a ledger', 'own', () => []),
  staking('lacks the delegators of a ledger', 'delegators', () => []),
  staking('lacks one delegator', 'delegators', (rows) => rows.slice(1)),
  staking('lacks the last delegator', 'delegators', (rows) => rows.slice(0, -1)),
  staking('does not list who stakes with itself', 'delegators', (rows, { variables }) =>
    rows.filter((row) => at(row, 'public_key') !== variables.publicKey),
  ),
  other('lists who does not stake with itself', 'own', ['delegate'], otherKey),
  staking('counts a delegator twice', 'delegators', (rows) => rows.flatMap((row) => [row, row])),
  staking('has the own row twice', 'own', (rows) => [...rows, ...rows]),
  staking('has the ledger twice', 'known', (rows) => [...rows, ...rows]),
  other('has a total that is too small', 'own', total, one),
  other('has a total of nothing', 'own', total, number('0')),
  other('has a total with decimals', 'own', total, number('1.5')),
  other('has no total', 'own', ['delegationTotals'], null),
  other('counts another number of delegators', 'own', count, number('77')),
  other('counts no delegators', 'own', count, number('0')),
  other('has another balance of a delegator', 'delegators', ['balanceNanomina'], number('7')),
  ...(['known', 'first', 'own', 'delegators'] as const).flatMap((key) => [
    other(`sends a row of another ledger as ${key}`, key, ['ledgerHash'], otherStateHash),
    other(`sends a row of another epoch as ${key}`, key, ['epoch'], number('4321')),
    staking(`forgets the key ${key}`, key, () => absent),
    staking(`sends null as ${key}`, key, () => null),
  ]),
  other('sends the own row of another key', 'own', ['public_key'], otherKey),
  other('sends a row that delegates to another key', 'delegators', ['delegate'], otherKey),
]

export const ledgerFaults: readonly Fault[] = [...accountFaults, ...stakingFaults]
