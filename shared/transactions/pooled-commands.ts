// The commands that wait in the pools of the nodes. A pool is listed with little of each command, since 3,000 zkApp
// commands take ten MB in full; those that are wanted are then asked for by hash.
import { askAll } from '../chain/actions/ask-all.ts'
import { attemptsPerAddress } from '../chain/address.ts'
import type { AnsweredAtTip } from '../chain/outcome.ts'
import type { ChainView } from '../chain/port.ts'
import { maxPoolCommands } from '../contract/limits.ts'
import { type ListedCommand, ledgerNoncesIn, queuedCommand } from '../mapping/command.ts'
import { payerOf } from '../mapping/paid-zkapp.ts'
import { type NodeZkappCommand, nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { nodeBusy, type WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import { called, count, hash, listOf, nanomina, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { type PayerNonce, payerNonces, type TipAnswer } from './best-tip.ts'

/** Shown to callers. */
const tooLong = 'More commands wait than can be read now.'

/**
 * A payment's or delegation's fee payer, with its nonce in the ledger of the node's best tip; null if that has no such
 * account. For 3,000 commands the nonce takes 69 KB (0.54 MB instead of 0.47), and one look-up in the ledger each; a
 * command in full takes two.
 */
const userPayer = { from: shortText, nonce: count, source: shape({ nonce: nullable(count) }) }

const paidBy = <Field extends Parameters<typeof shape>[0]>(field: Field) => shape({ body: shape(field) })

const zkappPayer = { nonce: count, publicKey: shortText }

const zkappFees = listOf(shape({ hash, zkappCommand: shape({ feePayer: paidBy({ ...zkappPayer, fee: nanomina }) }) }))

/** The pool's commands with their fees, in nanomina. */
const poolFees = nodeQuery(
  'poolFees',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(shape({ ...userPayer, fee: nanomina, hash }))),
    pooledZkappCommands: called('pooledZkappCommands', zkappFees),
  },
  { tooLong },
)

/** The same with payments and delegations in full. */
const poolPayments = nodeQuery(
  'poolPayments',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(queuedCommand)),
    pooledZkappCommands: called('pooledZkappCommands', zkappFees),
  },
  { tooLong },
)

/** The pool's commands with the keys that they concern. */
const poolKeys = nodeQuery(
  'poolKeys',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(shape({ ...userPayer, hash, to: shortText }))),
    pooledZkappCommands: called(
      'pooledZkappCommands',
      listOf(
        shape({
          hash,
          zkappCommand: shape({
            accountUpdates: listOf(paidBy({ publicKey: shortText })),
            feePayer: paidBy(zkappPayer),
          }),
        }),
      ),
    ),
  },
  { tooLong },
)

/** Hashes and fees alone, of another daemon's pool behind the same address: a daemon need not look these up. */
const poolHashes = nodeQuery(
  'poolHashes',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(shape({ fee: nanomina, hash }))),
    pooledZkappCommands: called(
      'pooledZkappCommands',
      listOf(shape({ hash, zkappCommand: shape({ feePayer: paidBy({ fee: nanomina }) }) })),
    ),
  },
  { tooLong },
)

const areAsked = (commands: readonly { readonly hash: string }[], hashes: unknown): boolean => {
  const asked = new Set(Array.isArray(hashes) ? hashes : [])
  return commands.every((command) => asked.has(command.hash))
}

/** Those of the pool's commands that have one of the hashes. */
const poolCommands = nodeQuery(
  'poolCommands',
  '$userHashes: [String!], $zkappHashes: [String!]',
  {
    pooledUserCommands: called('pooledUserCommands(hashes: $userHashes)', listOf(queuedCommand), (commands, asked) =>
      areAsked(commands, asked.userHashes),
    ),
    pooledZkappCommands: called(
      'pooledZkappCommands(hashes: $zkappHashes)',
      listOf(nodeZkappCommand),
      (commands, asked) => areAsked(commands, asked.zkappHashes),
    ),
  },
  { tooLong },
)

export const poolOperations = [poolFees, poolPayments, poolKeys, poolHashes, poolCommands, payerNonces]

type Fees = Wire<typeof poolFees.data>
type Payments = Wire<typeof poolPayments.data>
type Keys = Wire<typeof poolKeys.data>
type Hashes = Wire<typeof poolHashes.data>
type Lists = 'pooledUserCommands' | 'pooledZkappCommands'
type ListedPool<Pools extends { readonly [List in Lists]: readonly unknown[] }> = {
  readonly [List in Lists]: readonly Pools[List][number][]
}

/** A command of a pool, with what its listing shows of it. */
export interface PoolEntry {
  readonly hash: string
  readonly isZkapp: boolean
  /** In nanomina. */
  readonly fee?: bigint
  /** Undefined if the listing does not show it. */
  readonly payer?: PayerNonce
  /** Of a zkApp command its fee payer's and those of its updates; undefined if the listing does not show them. */
  readonly keys?: readonly string[]
  /** A payment or delegation in full; undefined if the listing does not have it. */
  readonly user?: ListedCommand
}

/** The commands that one node's answer listed, and what it says about the chain. */
export interface Listing extends TipAnswer {
  readonly commands: readonly PoolEntry[]
}

/** A command of a pool in full. */
export type Pooled = Required<Omit<PoolEntry, 'isZkapp' | 'user'>> &
  ({ readonly user: ListedCommand } | { readonly zkapp: NodeZkappCommand })

type User = ListedPool<Fees | Payments | Keys | Hashes>['pooledUserCommands'][number]
type Zkapp = ListedPool<Fees | Payments | Keys | Hashes>['pooledZkappCommands'][number]

const userListed = (user: User): PoolEntry => ({
  hash: user.hash,
  isZkapp: false,
  ...('fee' in user && { fee: user.fee }),
  ...('from' in user && { payer: { from: user.from, nonce: user.nonce } }),
  ...('to' in user && { keys: [user.from, user.to] }),
  ...('memo' in user && { user }),
})

const wholeUser = (user: ListedCommand): Pooled => {
  const { hash, fee, from, nonce, to } = user
  return { hash, fee, payer: { from, nonce }, keys: [from, to], user }
}

function zkappListed({ hash, zkappCommand }: Zkapp): PoolEntry {
  const { body } = zkappCommand.feePayer
  return {
    hash,
    isZkapp: true,
    ...('fee' in body && { fee: body.fee }),
    ...('nonce' in body && { payer: payerOf({ zkappCommand: { feePayer: { body } } }) }),
    ...('accountUpdates' in zkappCommand && { keys: keysOfZkapp(zkappCommand) }),
  }
}

const listingOf = ({ node, tip, data }: AnsweredAtTip<ListedPool<Fees | Payments | Keys | Hashes>>): Listing => ({
  node,
  tip,
  blocks: [],
  nonces: ledgerNoncesIn(data.pooledUserCommands.filter((user) => 'from' in user)),
  commands: [...data.pooledUserCommands.map(userListed), ...data.pooledZkappCommands.map(zkappListed)],
})

/**
 * The pools of all nodes. Behind one address a pool is listed once with all that is needed; the other daemons are asked
 * for hashes and fees alone. An instance that last saw no more payments than it gives lists them in full, which saves
 * the question by hash.
 *
 * @param of what each command is listed with: its fee, or the keys that it concerns
 * @throws WireError if no node answers, or with public text for pools that are too long to be read
 */
export async function listPools(chain: ChainView, of: 'fees' | 'keys'): Promise<readonly Listing[]> {
  const { kept } = chain
  const { waitingPayments = Number.POSITIVE_INFINITY } = kept
  const fees = waitingPayments <= maxPoolCommands ? poolPayments : poolFees
  const operation: Operation<ListedPool<Fees | Payments | Keys | Hashes>> = of === 'fees' ? fees : poolKeys
  const repeat = { operation: poolHashes as typeof operation, variables: {} }
  const question = { operation, variables: {}, repeat, isRepeatedAtOnce: true, isEnough: () => false }
  const { whole, repeated } = await askAll(chain, question)
  kept.waitingPayments = Math.max(...whole.map(({ data }) => data.pooledUserCommands.length))
  return [...whole, ...repeated].map(listingOf)
}

const keysOfZkapp = ({ accountUpdates, feePayer }: Keys['pooledZkappCommands'][number]['zkappCommand']) =>
  [feePayer, ...accountUpdates].map(({ body }) => body.publicKey)

/** Commands in full, by hash, and what their answers say about the chain. */
interface WholeCommands {
  readonly found: ReadonlyMap<string, Pooled>
  readonly answers: readonly TipAnswer[]
}

/**
 * Commands in full, from the nodes that listed them. One that none of these still holds is left out: a block has it, or
 * its pool has dropped it.
 *
 * @param wanted hashes
 * @throws WireError if a node that listed a command does not answer, and no other one shows it
 */
export async function commandsIn(
  chain: ChainView,
  listings: readonly Listing[],
  wanted: ReadonlySet<string>,
): Promise<WholeCommands> {
  const found = new Map<string, Pooled>()
  const answers: TipAnswer[] = []
  const open = new Map<string, WireError>()
  for (const { user } of listings.flatMap(({ commands }) => commands)) {
    if (user !== undefined && wanted.has(user.hash)) found.set(user.hash, wholeUser(user))
  }
  const byNode = Map.groupBy(listings, ({ node }) => node)
  for (const [node, ofNode] of byNode) {
    const listed = new Map(ofNode.flatMap(({ commands }) => commands).map((each) => [each.hash, each]))
    const ask = async (): Promise<boolean> => {
      const left = [...listed.values()].filter(({ hash }) => wanted.has(hash) && !found.has(hash))
      if (left.length === 0) return false
      const hashesOf = (isZkapp: boolean) => left.filter((each) => each.isZkapp === isZkapp).map(({ hash }) => hash)
      const variables = { userHashes: hashesOf(false), zkappHashes: hashesOf(true) }
      const outcome = await chain.call(node, poolCommands, variables, { why: 'confirm' })
      if (outcome.kind === 'failure') {
        for (const { hash } of left) open.set(hash, outcome.error)
        return false
      }
      const data = outcome.data as Wire<typeof poolCommands.data>
      if (outcome.tip !== undefined) {
        answers.push({ node, tip: outcome.tip, blocks: [], nonces: ledgerNoncesIn(data.pooledUserCommands) })
      }
      for (const user of data.pooledUserCommands) found.set(user.hash, wholeUser(user))
      for (const zkapp of data.pooledZkappCommands) {
        const { hash, zkappCommand } = zkapp
        const { fee } = zkappCommand.feePayer.body
        found.set(hash, { hash, fee, payer: payerOf(zkapp), keys: keysOfZkapp(zkappCommand), zkapp })
      }
      return true
    }
    // What the first daemon behind an address does not have, the others are asked for at once.
    if (await ask()) await Promise.all(Array.from({ length: attemptsPerAddress(chain) - 1 }, ask))
  }
  const [error] = [...open].filter(([hash]) => !found.has(hash)).map(([, error]) => error)
  if (error !== undefined) throw error
  return { found, answers }
}

/** The error for more waiting commands than can be given. */
export const tooManyCommands = (count: number, publicText: string): WireError =>
  nodeBusy(`${count} commands wait, too many to be given`, { publicText })
