import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { accountResponse } from '../../../shared/contract/account.ts'
import { annotationFormats, annotationKeywords } from '../../../shared/contract/annotations.ts'
import { blockResponse, blocksResponse } from '../../../shared/contract/block.ts'
import {
  delegationRequest,
  delegationResponse,
  transactionRequest,
  transactionResponse,
} from '../../../shared/contract/broadcast.ts'
import { broadcastError, message } from '../../../shared/contract/error.ts'
import { summary } from '../../../shared/contract/summary.ts'
import { namedSchemas } from '../../../tools/generate/named-schemas.ts'
import { type Place, placesOf, removedAt, replacedAt, valueAt } from './places.ts'
import * as samples from './samples.ts'

const compile = (schema: object) =>
  new Ajv2020({ strict: true, allowUnionTypes: true, formats: annotationFormats })
    .addVocabulary([...annotationKeywords])
    .compile(schema)

interface Resource {
  readonly name: string
  readonly schema: object
  readonly sample: object
  /** Names of fields that may be absent. */
  readonly optional?: readonly string[]
  /** Fields that may be null. */
  readonly nullable?: readonly string[]
  readonly mayBeEmptyText?: boolean
}

/** @param at where the block stands in the answer */
const blockMay = (at: string) => ({
  optional: [
    ...['receivedTime', 'workIds', 'coinbaseReceiverAccount', 'id', 'failureReason', 'snarkedLedgerHash'],
    `${at}.protocolState.consensusState.stakingEpochData.epochLength`,
    ...['zkappCommands', 'implicitAccountCreationFee'],
  ],
})

const staking = ['epochStakingAccount', 'nextEpochStakingAccount', 'epochDelegators', 'nextEpochDelegators']

const resources: readonly Resource[] = [
  { name: 'blocks', schema: blocksResponse, sample: { blocks: [samples.block] }, ...blockMay('blocks.0') },
  { name: 'block', schema: blockResponse, sample: { block: samples.block }, ...blockMay('block') },
  {
    name: 'account',
    schema: accountResponse,
    sample: { account: samples.account, status: { syncStatus: 'SYNCED', blockchainLength: 300 } },
    optional: [
      'account.delegate',
      'receiptChainHash',
      'votingFor',
      'totalTx',
      'totalBlocks',
      'totalSnarks',
      'countPendingTransactions',
      'account.timing',
      'firstPendingTransaction',
      'missingNonces',
      ...staking,
      'epochDelegatorCount',
      'nextEpochDelegatorCount',
      ...staking.map((name) => `account.${name}.0.nonce`),
      'epochTotalStakingBalance',
      'nextEpochTotalStakingBalance',
      'receipt_chain_hash',
      'voting_for',
      'chainId',
    ],
    nullable: ['account.balance.lockedBalance'],
    mayBeEmptyText: true,
  },
  { name: 'summary', schema: summary, sample: samples.summary },
  { name: 'transaction request', schema: transactionRequest, sample: samples.transaction },
  { name: 'delegation request', schema: delegationRequest, sample: samples.delegation },
  {
    name: 'transaction response',
    schema: transactionResponse,
    sample: { message: 'Transaction broadcast sucessfully', result: { payment: samples.command } },
  },
  {
    name: 'delegation response',
    schema: delegationResponse,
    sample: { message: 'Delegation broadcast sucessfully', result: { delegation: samples.command } },
  },
  { name: 'message', schema: message, sample: { message: 'No blocks found for that state hash.' } },
  {
    name: 'broadcast error',
    schema: broadcastError,
    sample: { message: 'Error in sending transaction', error: 'Query failed to run by returning code of 200.' },
  },
]

/** A value of another type than the given one. */
function otherType(value: unknown): unknown {
  if (Array.isArray(value)) return {}
  if (typeof value === 'object') return []
  return typeof value === 'number' ? '1' : 1
}

const isField = (place: Place): boolean => typeof place.at(-1) === 'string'

const spelled = (places: readonly Place[]) => places.map((place) => place.join('.'))

describe.each(resources)('schema of $name', ({ schema, sample, mayBeEmptyText, ...may }) => {
  const { optional = [], nullable = [] } = may
  const isValid = compile(schema)
  const places = placesOf(sample)

  test('accepts a full object, and unknown fields at every depth', () => {
    const objects = places.filter((place) => valueAt(sample, place)?.constructor === Object)
    const refused = [[], ...objects].filter((place) => !isValid(replacedAt(sample, [...place, 'extra'], 1)))
    expect([isValid(sample), isValid.errors, spelled(refused)]).toEqual([true, null, []])
  })

  test('refuses a value of another type, and null, in every place', () => {
    const accepted = places.flatMap((place) =>
      [otherType(valueAt(sample, place)), null]
        .filter((wrong) => isValid(replacedAt(sample, place, wrong)))
        .map((wrong) => `${place.join('.')} ${wrong}`),
    )
    expect(accepted).toEqual(nullable.map((place) => `${place} null`))
  })

  test('refuses the absence of every field but the optional ones', () => {
    const missable = places.filter((place) => isField(place) && isValid(removedAt(sample, place)))
    const expected = places.filter(
      (place) => optional.includes(String(place.at(-1))) || optional.includes(place.join('.')),
    )
    expect(spelled(missable)).toEqual(spelled(expected.filter(isField)))
  })

  test(`${mayBeEmptyText ? 'accepts' : 'refuses'} empty text in every place`, () => {
    const texts = places.filter((place) => typeof valueAt(sample, place) === 'string')
    const accepted = texts.filter((place) => isValid(replacedAt(sample, place, '')))
    // A pending command has the strings of a block's commands.
    const ofAccount = texts.filter((place) => !place.includes('firstPendingTransaction'))
    expect(spelled(accepted)).toEqual(mayBeEmptyText ? spelled(ofAccount) : [])
  })
})

describe('a list', () => {
  const { block } = samples
  const isValidBlock = compile(blockResponse)
  const isValidList = compile(blocksResponse)
  const withList = (place: Place, items: readonly unknown[]) => ({ block: replacedAt(block, place, items) })

  test.each([
    [['snarkJobs'], true],
    [['transactions', 'feeTransfer'], true],
    [['transactions', 'userCommands'], false],
  ])('of a block at %j may be empty; it takes equal items: %s', (place, isRepeatable) => {
    const [item] = Object(valueAt(block, place))
    expect([[], [item], [item, item]].map((items) => isValidBlock(withList(place, items)))).toEqual([
      true,
      true,
      isRepeatable,
    ])
  })

  test('of blocks has at least one block, and no block twice', () => {
    const lists = [[], [block, { ...block }], [block, { ...block, blockHeight: 3 }]]
    expect(lists.map((blocks) => isValidList({ blocks }))).toEqual([false, false, true])
  })
})

test('every named schema compiles in strict mode', () => {
  for (const schema of Object.values(namedSchemas)) expect(() => compile(schema)).not.toThrow()
})

test('every amount names its unit, and its type says in which form it comes', () => {
  const properties = Object.entries(namedSchemas).flatMap(([name, schema]) =>
    placesOf(schema)
      .filter((place) => place.at(-1) === 'type' && place.length === 3)
      .map((place) => {
        const { type, 'x-unit': unit } = Object(valueAt(schema, place.slice(0, -1)))
        return { name: `${name}.${place.at(-2)}`, type: String(type), unit }
      }),
  )
  const forms = properties.flatMap(({ type, unit }) => (unit === undefined ? [] : [`${type} of ${unit}`]))
  expect(new Set(forms)).toEqual(
    new Set(['string of MINA', 'string,null of MINA', 'string of nanomina', 'integer of nanomina']),
  )
  const bare = properties.filter(
    ({ name, type, unit }) =>
      /(?:amount|fee|coinbase|supply|currency)$/i.test(name) && /string|integer/.test(type) && unit === undefined,
  )
  // Of a token whose smallest unit nobody names.
  expect(bare.map(({ name }) => name)).toEqual(['TokenChange.amount'])
})
