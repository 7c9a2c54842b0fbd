// Wrong services: those that take a mina-indexer at its word.
import type { ChainPort } from '../../../shared/chain/port.ts'
import type { Answer, Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { delegatorsOfKey } from '../../../shared/indexer/staking-questions.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { at, changed, type Path } from '../exact-json.ts'
import type { Variant } from '../setting/service.ts'

type Wish = (reply: Reply, operation: Operation, variables: Variables, query: QueryUpstream) => Reply | Promise<Reply>

/** The same port, its replies bent; what `wish` makes lives as long as an instance. */
const bending = (wish: () => Wish): Variant => ({
  wrapQuery(query): QueryUpstream {
    const bend = wish()
    return async (operation, variables, limits) =>
      bend(await query(operation, variables, limits), operation, variables, query)
  },
})

const put = (reply: Reply, path: Path, value: unknown): Reply =>
  at(reply.data, ...path) === undefined ? reply : { ...reply, data: changed(reply.data, path, () => value) }

const rowsIn = (reply: Reply, key: string): readonly unknown[] => {
  const rows = at(reply.data, key)
  return Array.isArray(rows) ? rows : []
}

const sumOf = (rows: readonly unknown[]): bigint =>
  rows.reduce((sum: bigint, row) => sum + BigInt(String(at(row, 'balanceNanomina'))), 0n)

/** Says that the indexer's tip is where nothing is above it and nothing unread. */
const atTheEnd = (isWanted: (block: unknown) => boolean): Variant =>
  bending(() => (reply) => {
    const block = at(reply.data, 'block')
    return block !== undefined && isWanted(block) ? put(reply, ['tip', 'blockHeight'], 10_000_000) : reply
  })

/** A field of an old block as the indexer has it. */
const asIndexed = (path: Path, show: (found: unknown) => unknown): Variant => ({
  wrapEndpoint: (endpoint) => ({
    ...endpoint,
    run: (async (input: unknown, chain: ChainPort) => {
      let block: unknown
      const ask: ChainPort['ask'] = async (operation, variables) => {
        const answered = await chain.ask(operation, variables)
        if (operation.name === 'indexedBlock') block = at(answered.data, 'block')
        return answered
      }
      const answer = await (endpoint.run as (...asked: unknown[]) => Promise<Answer>)(input, { ...chain, ask })
      const value = show(at(block, ...path))
      if (answer.status !== 200 || value === undefined) return answer
      const { 'x-missing-fields': named = '', ...headers } = answer.headers ?? {}
      const missing = named.split(',').filter((name) => name !== '' && name !== path.join('.'))
      const body = changed(answer.body, ['block', ...path], () => value)
      return {
        ...answer,
        body,
        headers: { ...headers, ...(missing.length > 0 && { 'x-missing-fields': missing.join() }) },
      }
    }) as Endpoint['run'],
  }),
})

export const wrongAboutIndexers = {
  'shows-another-ledger': bending(() => (reply, _operation, { ledgerHash }) => {
    const row = ['first', 'own', 'delegators'].flatMap((key) => rowsIn(reply, key))[0]
    const isUnknown = at(reply.data, 'known') !== undefined && rowsIn(reply, 'known').length === 0
    return isUnknown ? put(reply, ['known'], [{ ledgerHash, epoch: at(row, 'epoch') ?? 0 }]) : reply
  }),
  'believes-another-chain': bending(() => {
    const genesis = Promise.withResolvers<unknown>()
    return async (reply, { name }) => {
      if (name === 'accountByPublicKey') genesis.resolve(at(reply.data, 'genesisBlock', 'stateHash'))
      return name === 'indexedAccount' ? put(reply, ['tip', 'genesisStateHash'], await genesis.promise) : reply
    }
  }),
  'shows-half-a-ledger': bending(() => {
    const listed = new Map<unknown, readonly unknown[]>()
    return async (reply, { name }, { ledgerHash, publicKey }, query) => {
      if (name === 'delegatorsOfKey') return put(reply, ['delegators'], listed.get(ledgerHash))
      if (name !== 'stakeOfKey') return reply
      const rows = rowsIn(await query(delegatorsOfKey, { ledgerHash, publicKey, limit: 1000 }), 'delegators')
      listed.set(ledgerHash, rows)
      const counted = { countDelegates: rows.length, totalDelegatedNanomina: sumOf(rows) }
      return put(reply, ['own', 0, 'delegationTotals'], counted)
    }
  }),
  'calls-unwritten-rows-none': {
    wrapEndpoint: (endpoint) => ({
      ...endpoint,
      run: (async (input: unknown, chain: ChainPort) => {
        const answer = await (endpoint.run as (...asked: unknown[]) => Promise<Answer>)(input, chain)
        const account = at(answer.body, 'account')
        const own = at(account, 'epochStakingAccount')
        if (!Array.isArray(own) || own.length > 0) return answer
        const none = { epochDelegators: [], epochTotalStakingBalance: '0.000000000' }
        const named = answer.headers?.['x-missing-fields'] ?? ''
        const missing = named.split(',').filter((name) => !Object.hasOwn(none, name))
        const body = { account: { ...Object(account), ...none } }
        return { ...answer, body, headers: { ...answer.headers, 'x-missing-fields': missing.join() } }
      }) as Endpoint['run'],
    }),
  },
  'keeps-half-a-ledger': bending(() => {
    const kept = new Map<string, Reply>()
    return (reply, { name }, variables) => {
      const key = JSON.stringify([name, variables])
      const known = kept.get(key) ?? reply
      if (/^(?:stakeOfKey|delegatorsOfKey)$/.test(name)) kept.set(key, known)
      return known
    }
  }),
  'shows-the-next-epochs-length': asIndexed(
    ['protocolState', 'consensusState', 'stakingEpochData', 'epochLength'],
    (length) => length,
  ),
  'shows-the-connecting-ledger': asIndexed(['protocolState', 'blockchainState', 'snarkedLedgerHash'], (hash) => hash),
  'shows-gross-fee-transfers': asIndexed(['transactions', 'feeTransfer'], (rows) =>
    Array.isArray(rows) ? rows.map(({ fee, recipient }) => ({ fee: BigInt(fee), recipient })) : undefined,
  ),
  'calls-unconnected-blocks-abandoned': atTheEnd((block) => block !== null),
  'calls-unread-blocks-unknown': atTheEnd((block) => block === null),
} satisfies Record<string, Variant>
