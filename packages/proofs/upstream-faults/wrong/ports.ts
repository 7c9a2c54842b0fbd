// Wrong services that bend an upstream's answer before they check it.
import { parse } from 'graphql'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../../shared/upstream/query.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'
import { at, changed, isObject, type Path } from '../exact-json.ts'
import type { WrongService } from './endpoints.ts'

type ShownBy = WrongService['shownBy']
type Bend = (reply: Reply, operation: Operation, variables: Variables, query: QueryUpstream) => Reply | Promise<Reply>

/** Bends replies by what an instance remembers. */
export const remembering = (shownBy: ShownBy, remember: () => Bend): WrongService => ({
  shownBy,
  wrapQueries() {
    const bend = remember()
    return (query) => async (operation, variables, limits) =>
      bend(await query(operation, variables, limits), operation, variables, query)
  },
})

export const bending = (shownBy: ShownBy, bend: Bend): WrongService => remembering(shownBy, () => bend)

export const put = (reply: Reply, path: Path, value: unknown): Reply => ({
  ...reply,
  data: changed(reply.data, path, () => value),
})

/** Puts the name that was asked for where the answer has another one. */
const renaming = (shownBy: ShownBy, path: Path, variable: string): WrongService =>
  bending(shownBy, (reply, _operation, variables) => {
    const isThere = typeof at(reply.data, ...path) === 'string' && variables[variable] !== undefined
    return isThere ? put(reply, path, variables[variable]) : reply
  })

function withNulls(reply: Reply, { document }: Operation): Reply {
  const [definition] = parse(document).definitions
  if (!isObject(reply.data) || definition?.kind !== 'OperationDefinition') return reply
  const keys = definition.selectionSet.selections.flatMap((field) =>
    field.kind === 'Field' ? [field.alias?.value ?? field.name.value] : [],
  )
  return { ...reply, data: { ...Object.fromEntries(keys.map((key) => [key, null])), ...reply.data } }
}

const heightPath = ['protocolState', 'consensusState', 'blockHeight'] as const
const heightOf = (block: unknown): number => Number(at(block, ...heightPath))

/** One block of each height, each linked to the one before. */
function relinked(blocks: readonly unknown[]): readonly unknown[] {
  const chain: unknown[] = []
  for (const block of blocks.toSorted((left, right) => heightOf(left) - heightOf(right))) {
    const before = chain.at(-1)
    const child = changed(block, heightPath, () => String(heightOf(before) + 1))
    const linked = changed(child, ['protocolState', 'previousStateHash'], () => at(before, 'stateHash'))
    chain.push(before === undefined ? block : linked)
  }
  return chain
}

/** The command of a mutation's answer, its accounts, kind and tokens as they were asked for. */
const believing: Bend = (reply, { document }, { from, to }) => {
  const isDelegation = document.includes('sendDelegation')
  const path = isDelegation ? ['sendDelegation', 'delegation'] : ['sendPayment', 'payment']
  const command = at(reply.data, ...path)
  if (!isObject(command)) return reply
  const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
  const accounts = { source: from, feePayer: from, fromAccount: from, receiver: to, toAccount: to }
  const believed = Object.entries(accounts).map(([key, publicKey]) => [key, { publicKey, token }])
  return put(reply, path, { ...command, ...Object.fromEntries(believed), isDelegation, token, feeToken: token })
}

export const wrongPorts = {
  'takes-another-block': renaming([/sends the block of/, /block/], ['block', 'stateHash'], 'stateHash'),
  'takes-another-account': renaming([/account of another key/, /account/], ['account', 'publicKey'], 'publicKey'),
  'takes-absent-for-null': bending([/forgets the key/, /./], withNulls),
  'takes-any-not-found-text': bending(
    [/hold another block|of no block|"not found"/, /block/],
    (reply, _operation, { stateHash }) =>
      reply.errors.some((message) => message.includes('not found'))
        ? { ...reply, data: null, errors: [`Block with state hash ${stateHash} not found in transition frontier`] }
        : reply,
  ),
  'mends-broken-chains': bending([/leaves the middle out/, /latest/], (reply, { name }) => {
    const blocks = at(reply.data, 'bestChain')
    return name === 'latestBlocks' && Array.isArray(blocks) ? put(reply, ['bestChain'], relinked(blocks)) : reply
  }),
  'believes-contradictory-commands': bending([/of another source/, /^(?:payment|delegation)$/], believing),
  'believes-applied-and-failed': bending([/both applied and failed/, /block/], (reply) => {
    const path = ['block', 'transactions', 'userCommands'] as const
    const listed = at(reply.data, ...path)
    if (!Array.isArray(listed) || at(listed, 0, 'isApplied') === undefined) return reply
    const believed = listed.map((one) => ({ ...Object(one), isApplied: at(one, 'failureReason') === null }))
    return put(reply, path, believed)
  }),
  'invents-a-nonce': bending([/nonce/, /account/], (reply) => {
    const account = at(reply.data, 'account')
    return isObject(account) ? put(reply, ['account', 'nonce'], account.nonce ?? '7') : reply
  }),
  'overlooks-queued-zkapp-commands': bending([/content type/, /account/], (reply) =>
    at(reply.data, 'pooledZkappCommands') === undefined ? reply : put(reply, ['pooledZkappCommands'], []),
  ),
  'sends-queries-twice': bending([/content type/, /./], (reply, operation, variables, query) =>
    operation.document.startsWith('query') ? query(operation, variables) : reply,
  ),
} satisfies Record<string, WrongService>
