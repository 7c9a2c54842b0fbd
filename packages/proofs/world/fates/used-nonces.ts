// Explains an answer that leaves open which command used the nonce: what the question or the upstreams did not say.
import type { Transaction } from '../../../../shared/contract/transaction.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import { type Inquiry, isHashOf } from './judge.ts'

const comparedKeys = ['kind', 'to', 'amount', 'fee', 'memo', 'isZkapp'] as const

function differencesOf(named: HistoryCommand, shown: HistoryCommand): string {
  const keys = comparedKeys.filter((key) => named[key] !== shown[key])
  if (keys.length === 0) return 'it differs in its last slot alone'
  if (keys.every((key) => key === 'memo')) return 'it differs in its memo alone'
  return 'it differs, and is not proven to be final'
}

/** @returns the cause of `nonce-used` */
export function causeOfUsedNonce({ by, searched }: Transaction, inquiry: Inquiry): string {
  const { terms, chains, sights, indexer } = inquiry
  if (terms?.isFull !== true) return 'not all terms were given'
  if (terms.omitsAmount === true) return 'the amount was not given'
  if (by === undefined) {
    if (indexer === 'none') return 'no indexer'
    return searched.indexer ? 'the indexer shows no command with the nonce' : 'the indexer does not answer for it'
  }
  const { from, nonce } = terms.command
  const shown = [...chains, ...sights.map(({ chain }) => chain)]
    .flatMap((chain) => chain.flatMap(({ commands }) => commands))
    .find((one) => one.from === from && one.nonce === nonce && isHashOf(by, one, inquiry))
  return shown === undefined ? 'it is on no chain of a node' : differencesOf(terms.command, shown)
}
