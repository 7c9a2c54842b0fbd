// The things of a chain with every field that its node has, found by the names that an answer gives them.
import {
  buildSchema,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { ChainBlock } from '../../../testnet/block.ts'
import type { Chain } from '../../../testnet/chain.ts'
import { nodeSchemaText } from '../../../testnet/node/schema.ts'
import type { QueuedCommand } from '../../../testnet/zkapp-command.ts'
import { answerFrom, queriesOver } from '../../node-answers.ts'
import { at, isObject, type JsonObject, parseJson } from '../exact-json.ts'

const schema = buildSchema(nodeSchemaText)

/** Every field that needs no argument. */
function selectionOf(type: GraphQLObjectType | GraphQLInterfaceType, above: readonly string[] = []): string {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: given, args }) => {
    const inner = getNamedType(given)
    if (args.length > 0 || above.includes(inner.name)) return []
    if (!isObjectType(inner) && !isInterfaceType(inner)) return name
    return `${name} ${selectionOf(inner, [...above, type.name])}`
  })
  return `{${fields.join(' ')}}`
}

const allOf = (name: string): string => {
  const type = schema.getType(name)
  if (!isObjectType(type) && !isInterfaceType(type)) throw new TypeError(`${name} has no fields`)
  return selectionOf(type)
}

const rowsIn = (value: unknown, ...path: readonly string[]): readonly JsonObject[] =>
  [at(value, ...path) ?? []].flat().filter(isObject)

/** A block or command as the chain has it, and as its node tells of it. */
interface Thing<Of> {
  readonly own: Of
  readonly told: JsonObject
}

export type Things = ReturnType<typeof thingsOf>

export function thingsOf(chain: Chain) {
  const blocks = chain.allBlocks()
  // It forgets no block.
  const queries = queriesOver({ ...chain, frontierBlock: (hash) => blocks.find(({ stateHash }) => stateHash === hash) })
  const ask = (question: string): unknown => {
    const { data, errors } = answerFrom(queries, `{${question}}`, {})
    if (data === null) throw new Error(errors.join())
    return parseJson(JSON.stringify(data))
  }
  const askOne = (field: string, type: string): JsonObject => Object(at(ask(`found: ${field} ${allOf(type)}`), 'found'))

  const told = new Map(
    blocks.map((own) => [own.stateHash, { own, told: askOne(`block(stateHash: "${own.stateHash}")`, 'Block') }]),
  )
  const commandsIn = (list: readonly QueuedCommand[], rows: readonly JsonObject[]) =>
    list.map((own): [string, Thing<QueuedCommand>] => {
      const row = rows.find(({ hash }) => hash === own.hash)
      return [own.hash, { own, told: Object(row) }]
    })
  const included = [...told.values()].flatMap(({ own, told: block }) => [
    ...commandsIn(
      own.userCommands.map(({ command }) => command),
      rowsIn(block, 'transactions', 'userCommands'),
    ),
    ...commandsIn(own.zkappCommands, rowsIn(block, 'transactions', 'zkappCommands')),
  ])
  const pool = ask(`
    userCommands: pooledUserCommands ${allOf('UserCommand')}
    zkappCommands: pooledZkappCommands ${allOf('ZkappCommandResult')}`)
  const pooled = [
    ...commandsIn(chain.pool(), rowsIn(pool, 'userCommands')),
    ...commandsIn(chain.zkappPool(), rowsIn(pool, 'zkappCommands')),
  ]
  const commands = new Map([...included, ...pooled])
  return {
    chain,
    block: (stateHash: unknown): Thing<ChainBlock> | undefined => told.get(String(stateHash)),
    command: (hash: unknown): Thing<QueuedCommand> | undefined => commands.get(String(hash)),
    account: (publicKey: unknown): JsonObject => askOne(`account(publicKey: "${publicKey}")`, 'Account'),
    /** All that a node says without being asked for a thing. */
    node: {
      ...Object(
        ask(`
      syncStatus networkID signatureKind
      daemonStatus { chainId consensusConfiguration ${allOf('ConsensusConfiguration')} }
      genesisConstants ${allOf('GenesisConstants')}`),
      ),
      tip: told.get(chain.tip().stateHash)?.told,
    },
  }
}
