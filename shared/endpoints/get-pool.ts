import { askAll, type NodeAnswer } from '../chain/actions/ask-all.ts'
import type { getPoolContract } from '../contract/endpoints/get-pool.ts'
import { maxAccountPoolCommands, maxPoolCommands } from '../contract/limits.ts'
import type { Pool } from '../contract/pool.ts'
import { publicKeyOption } from '../contract/query-option.ts'
import { type CachePolicy, failureCaching, noStaleness } from '../http/answer-headers.ts'
import { checksumFaults } from '../mapping/checksum-faults.ts'
import { type NodeCommand, nodeCommand, pendingCommandFromNode } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { bareZkappFromNode, type NodeZkappCommand, nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { called, listOf, type Wire } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const wholePool = nodeQuery('wholePool', '', {
  pooledUserCommands: called('pooledUserCommands', listOf(nodeCommand)),
  pooledZkappCommands: called('pooledZkappCommands', listOf(nodeZkappCommand)),
})

type Commands = Wire<typeof wholePool.data>

/** A command of a pool, and the keys that it concerns. */
interface Waiting {
  readonly hash: string
  /** In nanomina. */
  readonly fee: bigint
  readonly keys: readonly string[]
  /** As the contract shows it. */
  readonly shown: () => Exact<Pool>['commands'][number]
}

const waitingUser = (command: NodeCommand): Waiting => ({
  hash: command.hash,
  fee: command.fee,
  keys: [command.from, command.to],
  shown: () => pendingCommandFromNode(command),
})

const waitingZkapp = (command: NodeZkappCommand): Waiting => {
  const { accountUpdates, feePayer } = command.zkappCommand
  return {
    hash: command.hash,
    fee: feePayer.body.fee,
    keys: [feePayer.body.publicKey, ...accountUpdates.map(({ body }) => body.publicKey)],
    shown: () => bareZkappFromNode(command),
  }
}

/** The commands of all answers, each once: highest fee first, of equal fees by hash. */
function unionOf(answers: readonly NodeAnswer<Commands>[]): readonly Waiting[] {
  const byHash = new Map<string, Waiting>()
  for (const { data } of answers) {
    const all = [...data.pooledUserCommands.map(waitingUser), ...data.pooledZkappCommands.map(waitingZkapp)]
    for (const command of all) byHash.set(command.hash, command)
  }
  return [...byHash.values()].sort((left, right) => {
    if (left.fee !== right.fee) return left.fee > right.fee ? -1 : 1
    return left.hash < right.hash ? -1 : 1
  })
}

/** A wallet waits for a deposit with it, so it is never served past its age. */
const current: CachePolicy = { maxAgeSeconds: 2, ...noStaleness }

const options = [publicKeyOption('account')]

/** GET /pool: the commands that wait in the pools of the nodes, all of them or those of one key. */
export const getPool: Endpoint<typeof getPoolContract, { readonly account: string | undefined }> = {
  name: 'getPool',
  method: 'GET',
  path: '/pool',
  tag: 'transactions',
  summary: 'Commands that wait for a block',
  isCostly: true,
  caching: { 200: { complete: current }, '5xx': { failure: failureCaching } },
  operations: [wholePool],

  options,
  faults: checksumFaults(options),

  input: ({ query }) => ({ account: query.account }),

  async run({ account }, chain) {
    const answers = await askAll(chain, { operation: wholePool, variables: {}, isEnough: () => false })
    const all = unionOf(answers)
    const found = account === undefined ? all : all.filter(({ keys }) => keys.includes(account))
    if (account !== undefined && found.length > maxAccountPoolCommands) {
      throw new WireError('busy', `wholePool: ${found.length} commands of one account`)
    }
    const listed = account === undefined ? found.slice(0, maxPoolCommands) : found
    return {
      status: 200,
      body: {
        count: found.length,
        commands: listed.map(({ shown }) => shown()),
        searched: { nodes: new Set(answers.map(({ node }) => node)).size },
      },
      caching: current,
    }
  },
}
