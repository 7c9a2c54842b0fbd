// Wrong services that take a mina-indexer at its word.
import type { Indexer } from '../../../../shared/chain/port.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { delegatorsOfKey } from '../../../../shared/indexer/staking-questions.ts'
import type { Reply } from '../../../../shared/upstream/query.ts'
import { withChanges } from '../../changed-view.ts'
import { at, changed, type Path } from '../exact-json.ts'
import { running, type WrongService } from './endpoints.ts'
import { bending, put, remembering } from './ports.ts'

const rowsIn = (reply: Reply, key: string): readonly unknown[] => {
  const rows = at(reply.data, key)
  return Array.isArray(rows) ? rows : []
}

const sumOf = (rows: readonly unknown[]): bigint =>
  rows.reduce((sum: bigint, row) => sum + BigInt(String(at(row, 'balanceNanomina'))), 0n)

type ShownBy = WrongService['shownBy']

/**
 * Moves the indexer's tip so high that no block is above it or unread, and takes every block for one that no branch can
 * replace, so that no proof is needed.
 */
const atTheEnd = (shownBy: ShownBy, isWanted: (block: unknown) => boolean): WrongService =>
  bending(shownBy, (reply, { name }, { height }) => {
    if (name === 'nodeNetwork') return put(reply, ['daemonStatus', 'consensusConfiguration', 'k'], 0)
    if (name === 'blockAtHeight') {
      return { ...reply, data: null, errors: [`Could not find block in transition frontier with height ${height}`] }
    }
    const block = at(reply.data, 'block')
    return block !== undefined && isWanted(block) ? put(reply, ['tip', 'blockHeight'], 10_000_000) : reply
  })

/** Another body, in which some of the missing fields are there. */
function naming(answer: Answer, found: readonly string[], body: unknown): Answer {
  const { 'x-missing-fields': named = '', ...others } = answer.headers ?? {}
  const missing = named.split(',').filter((name) => name !== '' && !found.includes(name))
  const headers = { ...others, ...(missing.length > 0 && { 'x-missing-fields': missing.join() }) }
  return { ...answer, body, headers } as Answer
}

/** Shows a field of an old block as the indexer has it. */
const asIndexed = (shownBy: ShownBy, path: Path, show = (found: unknown) => found): WrongService =>
  running(shownBy, async (endpoint, input, chain) => {
    let block: unknown
    const indexers = chain.indexers.map(
      ({ ask }): Indexer => ({
        async ask(operation, variables) {
          const answered = await ask(operation, variables)
          if (operation.name === 'indexedBlock') block = at(answered.data, 'block')
          return answered
        },
      }),
    )
    const answer = await endpoint.run(input as never, withChanges(chain, { indexers }))
    const value = show(at(block, ...path))
    if (answer.status !== 200 || value === undefined) return answer
    return naming(
      answer,
      [path.join('.')],
      changed(answer.body, ['block', ...path], () => value),
    )
  })

export const wrongAboutIndexers = {
  'shows-another-ledger': bending([/rows of another ledger/, /account/], (reply, _operation, { ledgerHash }) => {
    const row = ['first', 'own', 'delegators'].flatMap((key) => rowsIn(reply, key))[0]
    const isUnknown = at(reply.data, 'known') !== undefined && rowsIn(reply, 'known').length === 0
    return isUnknown ? put(reply, ['known'], [{ ledgerHash, epoch: at(row, 'epoch') ?? 0 }]) : reply
  }),
  'believes-another-chain': remembering([/^indexer is on another chain/, /account/], () => {
    const genesis = Promise.withResolvers<unknown>()
    return async (reply, { name }) => {
      if (name === 'accountByPublicKey') genesis.resolve(at(reply.data, 'genesisBlock', 'stateHash'))
      return name === 'indexedAccount' ? put(reply, ['tip', 'genesisStateHash'], await genesis.promise) : reply
    }
  }),
  'shows-half-a-ledger': remembering([/lacks .* delegator/, /account/], () => {
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
  'calls-unwritten-rows-none': running([/own row of a ledger/, /account/], async (endpoint, input, chain) => {
    const answer = await endpoint.run(input as never, chain)
    const account = at(answer.body, 'account')
    const own = at(account, 'epochStakingAccount')
    if (account === undefined || (Array.isArray(own) && own.length > 0)) return answer
    const none = {
      epochStakingAccount: [],
      epochDelegators: [],
      epochDelegatorCount: 0,
      epochTotalStakingBalance: '0.000000000',
    }
    return naming(answer, Object.keys(none), { account: { ...Object(account), ...none } })
  }),
  'keeps-half-a-ledger': remembering([/own row of a ledger|lacks .* delegator/, /account/], () => {
    const kept = new Map<string, Reply>()
    return (reply, { name }, variables) => {
      const key = JSON.stringify([name, variables])
      const known = kept.get(key) ?? reply
      if (/^(?:stakeOfKey|delegatorsOfKey)$/.test(name)) kept.set(key, known)
      return known
    }
  }),
  'shows-the-next-epochs-length': asIndexed(
    [/content type/, /old block/],
    ['protocolState', 'consensusState', 'stakingEpochData', 'epochLength'],
  ),
  'shows-the-connecting-ledger': asIndexed(
    [/content type/, /old block/],
    ['protocolState', 'blockchainState', 'snarkedLedgerHash'],
  ),
  'shows-gross-fee-transfers': asIndexed(
    [/content type/, /before Berkeley/],
    ['transactions', 'feeTransfer'],
    (rows) => (Array.isArray(rows) ? rows.map(({ fee, recipient }) => ({ fee: BigInt(fee), recipient })) : undefined),
  ),
  'calls-unconnected-blocks-abandoned': atTheEnd([/not connected/, /old block/], (block) => block !== null),
  'calls-unread-blocks-unknown': atTheEnd([/first blocks only/, /block/], (block) => block === null),
} satisfies Record<string, WrongService>
