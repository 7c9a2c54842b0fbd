// Wrong services: those that make of an upstream's answer what they wish it were, before it is checked.
import { parse } from 'graphql'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { at, changed, isObject, type Path } from '../exact-json.ts'
import type { Variant } from '../setting/service.ts'

type Wish = (reply: Reply, operation: Operation, variables: Variables, query: QueryUpstream) => Reply | Promise<Reply>

/** The same port, its replies bent by what an instance remembers. */
export const remembering = (remember: () => Wish): Variant => ({
  wrapQuery(query): QueryUpstream {
    const wish = remember()
    return async (operation, variables, limits) =>
      wish(await query(operation, variables, limits), operation, variables, query)
  },
})

/** The same port, its replies bent. */
export const bending = (wish: Wish): Variant => remembering(() => wish)

export const put = (reply: Reply, path: Path, value: unknown): Reply => ({
  ...reply,
  data: changed(reply.data, path, () => value),
})

/** Puts the asked-for name where another one is. */
const renaming = (path: Path, variable: string): Variant =>
  bending((reply, _operation, variables) => {
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

const height = ['protocolState', 'consensusState', 'blockHeight'] as const

/** One block of each height, each the child of the one before, whatever they were. */
function relinked(blocks: readonly unknown[]): readonly unknown[] {
  const chain: unknown[] = []
  for (const block of blocks.toSorted((left, right) => Number(at(left, ...height)) - Number(at(right, ...height)))) {
    const before = chain.at(-1)
    const child = changed(block, height, () => String(Number(at(before, ...height)) + 1))
    const parentHash = at(before, 'stateHash')
    const linked = changed(child, ['protocolState', 'previousStateHash'], () => parentHash)
    chain.push(before === undefined ? block : linked)
  }
  return chain
}

const command = (reply: Reply): Path | undefined =>
  (
    [
      ['sendPayment', 'payment'],
      ['sendDelegation', 'delegation'],
    ] as const
  ).find((path) => isObject(at(reply.data, ...path)))

const believing: Wish = (reply, { document }, { from, to }) => {
  const path = command(reply)
  if (path === undefined) return reply
  const accounts = { source: from, feePayer: from, fromAccount: from, receiver: to, toAccount: to }
  const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
  const believed = {
    ...Object(at(reply.data, ...path)),
    ...Object.fromEntries(Object.entries(accounts).map(([key, publicKey]) => [key, { publicKey, token }])),
    isDelegation: document.includes('sendDelegation'),
    token,
    feeToken: token,
  }
  return put(reply, path, believed)
}

export const wrongPorts = {
  'takes-another-block': renaming(['block', 'stateHash'], 'stateHash'),
  'takes-another-account': renaming(['account', 'publicKey'], 'publicKey'),
  'takes-absent-for-null': bending(withNulls),
  'takes-any-not-found-text': bending((reply, _operation, { stateHash }) =>
    reply.errors.some((message) => message.includes('not found'))
      ? { ...reply, data: null, errors: [`Block with state hash ${stateHash} not found in transition frontier`] }
      : reply,
  ),
  'mends-broken-chains': bending((reply, { name }) => {
    const blocks = at(reply.data, 'bestChain')
    return name === 'latestBlocks' && Array.isArray(blocks) ? put(reply, ['bestChain'], relinked(blocks)) : reply
  }),
  'believes-contradictory-commands': bending(believing),
  'believes-applied-and-failed': bending((reply) => {
    const path = ['block', 'transactions', 'userCommands'] as const
    const listed = at(reply.data, ...path)
    if (!Array.isArray(listed) || at(listed, 0, 'isApplied') === undefined) return reply
    const believed = listed.map((one) => ({ ...Object(one), isApplied: at(one, 'failureReason') === null }))
    return put(reply, path, believed)
  }),
  'invents-a-nonce': bending((reply) =>
    isObject(at(reply.data, 'account'))
      ? put(reply, ['account', 'nonce'], at(reply.data, 'account', 'nonce') ?? '0')
      : reply,
  ),
  'sends-queries-twice': {
    wrapQuery:
      (query): QueryUpstream =>
      async (operation, variables, limits) => {
        if (operation.document.startsWith('query')) await query(operation, variables, limits)
        return query(operation, variables, limits)
      },
  },
} satisfies Record<string, Variant>
