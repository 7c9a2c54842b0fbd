// The commands that wait in the pools of the nodes. A pool is listed with little of each command, since 3,000 zkApp commands
// have ten MB as a whole; those that are wanted are then asked for by their hashes.
import { askAll } from '../chain/actions/ask-all.ts'
import type { Exchange } from '../chain/port.ts'
import { type NodeCommand, nodeCommand } from '../mapping/command.ts'
import { type NodeZkappCommand, nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import { called, hash, listOf, nanomina, shape, shortText, type Wire } from '../upstream/wire.ts'

/** Shown to callers. */
const tooLong = 'More commands wait than can be read now.'

const paidBy = <Field extends Parameters<typeof shape>[0]>(field: Field) => shape({ body: shape(field) })

/** The pool's commands with their fees, in nanomina. */
const poolFees = nodeQuery(
  'poolFees',
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

const named = paidBy({ publicKey: shortText })

/** The pool's commands with the keys that they concern. */
const poolKeys = nodeQuery(
  'poolKeys',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(shape({ from: shortText, hash, to: shortText }))),
    pooledZkappCommands: called(
      'pooledZkappCommands',
      listOf(shape({ hash, zkappCommand: shape({ accountUpdates: listOf(named), feePayer: named }) })),
    ),
  },
  { tooLong },
)

/** The hashes alone, of another daemon's pool behind the same address. */
const poolHashes = nodeQuery(
  'poolHashes',
  '',
  {
    pooledUserCommands: called('pooledUserCommands', listOf(shape({ hash }))),
    pooledZkappCommands: called('pooledZkappCommands', listOf(shape({ hash }))),
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
    pooledUserCommands: called('pooledUserCommands(hashes: $userHashes)', listOf(nodeCommand), (commands, asked) =>
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

export const poolOperations = [poolFees, poolKeys, poolHashes, poolCommands]

type Keys = Wire<typeof poolKeys.data>
type ListedKeys = {
  readonly [List in 'pooledUserCommands' | 'pooledZkappCommands']: readonly (
    | Keys[List][number]
    | { readonly hash: string }
  )[]
}

/** A command of a pool, with what its listing told of it. */
export interface Listed {
  readonly hash: string
  readonly isZkapp: boolean
  /** In nanomina. */
  readonly fee?: bigint
  /** Of a zkApp command its fee payer's and those of its updates; undefined where the listing does not tell. */
  readonly keys?: readonly string[]
}

/** The commands that one node's answer listed. */
export interface Listing {
  /** Index of the node. */
  readonly node: number
  readonly commands: readonly Listed[]
}

/** A command of a pool as a whole. */
export type Pooled = Required<Pick<Listed, 'fee' | 'hash' | 'keys'>> &
  ({ readonly user: NodeCommand } | { readonly zkapp: NodeZkappCommand })

const everyPool = { variables: {}, isEnough: () => false } as const

/**
 * The pools of all nodes, with the fees.
 *
 * @throws WireError where no node answers, or with public words for pools that are too long to be read
 */
export async function listFees(chain: Exchange): Promise<readonly Listing[]> {
  const answers = await askAll(chain, { ...everyPool, operation: poolFees })
  return answers.map(({ node, data }) => ({
    node,
    commands: [
      ...data.pooledUserCommands.map(({ fee, hash }) => ({ fee, hash, isZkapp: false })),
      ...data.pooledZkappCommands.map(({ hash, zkappCommand }) => {
        return { fee: zkappCommand.feePayer.body.fee, hash, isZkapp: true }
      }),
    ],
  }))
}

const keysOfUser = ({ from, to }: Keys['pooledUserCommands'][number]) => [from, to]

const keysOfZkapp = ({
  zkappCommand: { accountUpdates, feePayer },
}: Pick<Keys['pooledZkappCommands'][number], 'zkappCommand'>) =>
  [feePayer, ...accountUpdates].map(({ body }) => body.publicKey)

const keysOf = (command: ListedKeys[keyof ListedKeys][number]): Pick<Listed, 'keys'> => {
  if ('from' in command) return { keys: keysOfUser(command) }
  return 'zkappCommand' in command ? { keys: keysOfZkapp(command) } : {}
}

/**
 * The pools of all nodes, with the keys that each command concerns. Behind one address the pool is listed once so; the other
 * daemons are asked for the hashes alone.
 *
 * @throws WireError as `listFees`
 */
export async function listKeys(chain: Exchange): Promise<readonly Listing[]> {
  const operation: Operation<ListedKeys> = poolKeys
  const answers = await askAll(chain, { ...everyPool, operation, repeat: { operation: poolHashes, variables: {} } })
  return answers.map(({ node, data }) => ({
    node,
    commands: [
      ...data.pooledUserCommands.map((command) => ({ hash: command.hash, isZkapp: false, ...keysOf(command) })),
      ...data.pooledZkappCommands.map((command) => ({ hash: command.hash, isZkapp: true, ...keysOf(command) })),
    ],
  }))
}

/** Behind one address, three answers without a command are about as good as one from each daemon. */
const sharedRounds = 3

/**
 * Commands as a whole, from the nodes that listed them. One that none of these holds any more is left out: a block has it, or
 * its pool has dropped it.
 *
 * @param wanted hashes
 * @returns by hash
 * @throws WireError where a node that listed a command does not answer, and no other one shows it
 */
export async function commandsIn(
  chain: Exchange,
  listings: readonly Listing[],
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Pooled>> {
  const found = new Map<string, Pooled>()
  const open = new Map<string, WireError>()
  const byNode = Map.groupBy(listings, ({ node }) => node)
  for (const [node, ofNode] of byNode) {
    const listed = new Map(ofNode.flatMap(({ commands }) => commands).map((each) => [each.hash, each]))
    for (let round = 0; round < (chain.isShared ? sharedRounds : 1); round++) {
      const left = [...listed.values()].filter(({ hash }) => wanted.has(hash) && !found.has(hash))
      if (left.length === 0) break
      const hashesOf = (isZkapp: boolean) => left.filter((each) => each.isZkapp === isZkapp).map(({ hash }) => hash)
      const variables = { userHashes: hashesOf(false), zkappHashes: hashesOf(true) }
      const outcome = await chain.call(node, poolCommands, variables, { why: 'confirm' })
      if (outcome.kind === 'failure') {
        for (const { hash } of left) open.set(hash, outcome.error)
        break
      }
      const data = outcome.data as Wire<typeof poolCommands.data>
      for (const user of data.pooledUserCommands) {
        const { hash, fee } = user
        found.set(hash, { hash, fee, keys: keysOfUser(user), user })
      }
      for (const zkapp of data.pooledZkappCommands) {
        const { hash, zkappCommand } = zkapp
        found.set(hash, { hash, fee: zkappCommand.feePayer.body.fee, keys: keysOfZkapp(zkapp), zkapp })
      }
    }
  }
  const [error] = [...open].filter(([hash]) => !found.has(hash)).map(([, error]) => error)
  if (error !== undefined) throw error
  return found
}

/** The error for more waiting commands than can be given. */
export const tooManyCommands = (count: number, told: string): WireError =>
  new WireError('busy', `${count} commands wait, too many to be given`, { told })
