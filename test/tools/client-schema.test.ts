// The client's types say what the contract says, but for its amounts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type * as client from '../../client/src/schema.ts'
import {
  accountAmounts,
  accountTransactionsResponseAmounts,
  blockAmounts,
  broadcastResultCommandAmounts,
  poolResponseAmounts,
  transactionFateAmounts,
} from '../../client/src/schema.ts'
import type { Account, ChainStatus } from '../../shared/contract/account.ts'
import type { AccountTransactions } from '../../shared/contract/account-history.ts'
import type { Block } from '../../shared/contract/block.ts'
import type { DelegationRequest, TransactionRequest } from '../../shared/contract/broadcast.ts'
import type { BroadcastCode } from '../../shared/contract/broadcast-codes.ts'
import type { BroadcastResultCommand } from '../../shared/contract/command.ts'
import type { Pool } from '../../shared/contract/pool.ts'
import type { Summary } from '../../shared/contract/summary.ts'
import type { Transaction } from '../../shared/contract/transaction.ts'
import { namedSchemas } from '../../tools/generate/named-schemas.ts'
import { type Place, placesOf, valueAt } from '../shared/contract/places.ts'

/** A type in the form that the contract has for amounts. */
type Bare<Type, Amount> = Type extends bigint
  ? Amount
  : Type extends readonly (infer Item)[]
    ? Bare<Item, Amount>[]
    : Type extends object
      ? [keyof Type] extends [never]
        ? object
        : string extends keyof Type
          ? object
          : { [Key in keyof Type]: Bare<Exclude<Type[Key], undefined>, Amount> }
      : Type

type Same<Ours, Theirs, Amount> = [Bare<Ours, Amount>] extends [Bare<Theirs, Amount>]
  ? [Bare<Theirs, Amount>] extends [Bare<Ours, Amount>]
    ? true
    : 'the contract has less'
  : 'the contract has more'

const text = readFileSync(join(import.meta.dirname, '../../client/src/schema.ts'), 'utf8')
const answers = [
  ...['Account', 'AccountTransactionsResponse', 'Block', 'BroadcastResultCommand', 'PoolResponse', 'Summary'],
  'TransactionFate',
]

/** Where a schema has amounts in nanomina, as keys of its bodies: `transactions.userCommands.fee`. */
const amountsOf = (name: string): readonly string[] => {
  const isAlternative = (place: Place, index: number) =>
    place[index] === 'then' || place[index] === 'oneOf' || place[index - 1] === 'oneOf'
  const isKeyword = (place: Place, index: number) =>
    ['properties', 'items'].includes(String(place[index])) || isAlternative(place, index)
  const places = placesOf(namedSchemas[name])
    .filter((place) => place.at(-1) === 'x-unit' && valueAt(namedSchemas[name], place) === 'nanomina')
    .map((place) =>
      place
        .slice(0, -1)
        .filter((_key, index) => !isKeyword(place, index))
        .join('.'),
    )
  return [...new Set(places)].sort()
}

const leavesOf = (amounts: client.Amounts): readonly string[] =>
  placesOf(amounts)
    .filter((place) => valueAt(amounts, place) === true)
    .map((place) => place.join('.'))
    .sort()

describe('the types of the client', () => {
  test('have the members of the contract, optional or not, with their types', () => {
    // Each line compiles only while both are the same.
    const same: readonly true[] = [
      true satisfies Same<client.Account, Account, number>,
      true satisfies Same<client.ChainStatus, ChainStatus, number>,
      true satisfies Same<client.Block, Block, number>,
      true satisfies Same<client.Summary, Summary, number>,
      true satisfies Same<client.BroadcastResultCommand, BroadcastResultCommand, string>,
      true satisfies Same<client.TransactionFate, Transaction, number>,
      true satisfies Same<client.AccountTransactionsResponse, AccountTransactions, number>,
      true satisfies Same<client.PoolResponse, Pool, number>,
      true satisfies Same<client.TransactionPayload, TransactionRequest['payload'], never>,
      true satisfies Same<client.DelegationPayload, DelegationRequest['payload'], never>,
      true satisfies Same<client.BroadcastCode, BroadcastCode, never>,
    ]
    expect(same).toHaveLength(11)
  })

  test('have bigint for each amount in nanomina of an answer, and for nothing else', () => {
    expect(answers.map((name) => [name, amountsOf(name).length > 0])).toEqual([
      ['Account', true],
      ['AccountTransactionsResponse', true],
      ['Block', true],
      ['BroadcastResultCommand', true],
      ['PoolResponse', true],
      ['Summary', false],
      ['TransactionFate', true],
    ])
    expect(leavesOf(accountAmounts)).toEqual(amountsOf('Account'))
    expect(leavesOf(blockAmounts)).toEqual(amountsOf('Block'))
    expect(leavesOf(broadcastResultCommandAmounts)).toEqual(amountsOf('BroadcastResultCommand'))
    expect(leavesOf(accountTransactionsResponseAmounts)).toEqual(amountsOf('AccountTransactionsResponse'))
    expect(leavesOf(poolResponseAmounts)).toEqual(amountsOf('PoolResponse'))
    expect(leavesOf(transactionFateAmounts)).toEqual(amountsOf('TransactionFate'))
    const bigints = [...text.matchAll(/readonly (\w+)\??: bigint/g)].map(([, key]) => key)
    expect([...new Set(bigints)].sort()).toEqual([
      ...['accountCreationFee', 'amount', 'change', 'coinbase', 'economy', 'fast', 'fee', 'median', 'min'],
      ...['minimumFee', 'normal', 'p75', 'totalCurrency'],
    ])
    expect(text).not.toMatch(/number \| bigint|bigint \| number/)
  })
})
