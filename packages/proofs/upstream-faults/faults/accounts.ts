// Accounts and staking ledgers that are half there.
import { absent, at, changed, number } from '../exact-json.ts'
import { change, type Fault, type Replacement, replacements, type TrueExchange } from '../fault.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

const accountRows: readonly (readonly [name: string, path: string, wrong: unknown])[] = [
  ['sends an account without nonce', 'account.nonce', undefined],
  ['sends null for the nonce', 'account.nonce', null],
  ['sends a huge nonce', 'account.nonce', '9007199254740992'],
  ['sends an empty timing', 'account.timing', {}],
  ['sends null for the timing', 'account.timing', null],
  ['sends half a timing', 'account.timing.cliffTime', undefined],
  ['sends null in the timing', 'account.timing.vestingPeriod', null],
  ['keeps the locked balance to itself', 'account.balance.locked', null],
  ['sends no locked balance', 'account.balance.locked', undefined],
  ['sends a balance with decimals', 'account.balance.total', (total: unknown) => `${total}.5`],
  ['sends a negative balance', 'account.balance.total', '-1'],
  ['sends null for the delegate', 'account.delegate', null],
  ['sends an empty delegate', 'account.delegate', ''],
  ['sends no delegate', 'account.delegate', undefined],
  ['sends an empty account', 'account', {}],
  ['sends a list of accounts', 'account', (found: unknown) => [found]],
]

const keys = ['known', 'first', 'own', 'delegators'] as const
type Key = (typeof keys)[number]
type Rows = readonly unknown[]

/** Another list in place of one list with rows in the answers about a staking ledger. */
const rows = (key: Key, name: string, make: (rows: Rows, exchange: TrueExchange) => unknown): Fault =>
  change('staking', 'indexer', name, (data, exchange) => {
    const list = at(data, 'known') === undefined ? undefined : at(data, key)
    return Array.isArray(list) && list.length > 0 ? changed(data, [key], () => make(list, exchange)) : undefined
  })

/** Another value in the first row. */
const first = (key: Key, name: string, path: string, value: unknown) =>
  rows(key, name, (list) => changed(list, [0, ...path.split('.')], () => value))

const none = () => []
const twice = (list: Rows) => [...list, ...list]
const total = 'delegationTotals.totalDelegatedNanomina'
const count = 'delegationTotals.countDelegates'

const stakingFaults: readonly Fault[] = [
  rows('known', 'does not have the ledger', none),
  change('staking', 'indexer', 'has rows of another ledger under this hash', (data) => {
    const own = at(data, 'own', 0) === undefined ? undefined : changed(data, ['own', 0, 'nonce'], () => number('77'))
    return own === undefined ? undefined : changed(own, ['known'], none)
  }),
  rows('first', 'shows no row of the ledger', none),
  rows('own', 'lacks the own row of a ledger', none),
  rows('delegators', 'lacks the delegators of a ledger', none),
  rows('delegators', 'lacks one delegator', (list) => list.slice(1)),
  rows('delegators', 'lacks the last delegator', (list) => list.slice(0, -1)),
  rows('delegators', 'does not list who stakes with itself', (list, { variables }) =>
    list.filter((row) => at(row, 'public_key') !== variables.publicKey),
  ),
  rows('delegators', 'counts a delegator twice', (list) => list.flatMap((row) => [row, row])),
  rows('own', 'has the own row twice', twice),
  rows('known', 'has the ledger twice', twice),
  first('own', 'has a total that is too small', total, number('1')),
  first('own', 'has a total of nothing', total, number('0')),
  first('own', 'has a total with decimals', total, number('1.5')),
  first('own', 'has no total', 'delegationTotals', null),
  first('own', 'counts another number of delegators', count, number('77')),
  first('own', 'counts no delegators', count, number('0')),
  first('delegators', 'has another balance of a delegator', 'balanceNanomina', number('7')),
  ...keys.flatMap((key) => [
    first(key, `sends a row of another ledger as ${key}`, 'ledgerHash', otherStateHash),
    first(key, `sends a row of another epoch as ${key}`, 'epoch', number('4321')),
    rows(key, `forgets the key ${key}`, () => absent),
    rows(key, `sends null as ${key}`, () => null),
  ]),
  first('own', 'sends the own row of another key', 'public_key', otherKey),
  first('delegators', 'sends a row that delegates to another key', 'delegate', otherKey),
]

export const ledgerFaults: readonly Fault[] = [
  ...replacements(
    'account',
    accountRows.map((row): Replacement => ['node', ...row]),
  ),
  ...stakingFaults,
]
