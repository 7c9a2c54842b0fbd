// The client's types say what the contract says, but for its amounts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type * as client from '../../packages/client/src/schema.ts'
import type { Account, ChainStatus } from '../../shared/contract/account.ts'
import type { AccountTransactions } from '../../shared/contract/account-history.ts'
import type { Block } from '../../shared/contract/block.ts'
import type { DelegationRequest, TransactionRequest } from '../../shared/contract/broadcast.ts'
import type { BroadcastCode } from '../../shared/contract/broadcast-codes.ts'
import type { BroadcastResultCommand } from '../../shared/contract/command.ts'
import type { Pool } from '../../shared/contract/pool.ts'
import type { Summary } from '../../shared/contract/summary.ts'
import type { Transaction } from '../../shared/contract/transaction.ts'

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

const text = readFileSync(join(import.meta.dirname, '../../packages/client/src/schema.ts'), 'utf8')

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

  test('have bigint for the amounts in nanomina of an answer, and for nothing else', () => {
    const bigints = [...text.matchAll(/readonly (\w+)\??: bigint/g)].map(([, key]) => key)
    expect([...new Set(bigints)].sort()).toEqual([
      ...[
        'accountCreationFee',
        'amount',
        'change',
        'coinbase',
        'economy',
        'fast',
        'fee',
        'feesNanomina',
        'median',
        'min',
      ],
      ...['minimumFee', 'normal', 'p75', 'proofFeesNanomina', 'totalCurrency'],
    ])
    expect(text).not.toMatch(/number \| bigint|bigint \| number/)
  })
})
