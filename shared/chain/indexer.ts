// Asks an indexer the questions of one request, and spares an indexer that refuses load.
import { indexerBusy } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { QueryUpstream } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { isTurnedAway } from './outcome.ts'
import type { Indexer } from './port.ts'
import type { RequestHost } from './request-host.ts'
import { send } from './send.ts'

/** @param indexer its index in the settings, which the log names if there are several */
export function indexerOver(
  host: RequestHost,
  query: QueryUpstream,
  indexer: number,
  isOneOfSeveral: boolean,
): Indexer {
  const named = isOneOfSeveral ? { indexer: indexer + 1 } : {}
  return {
    async ask<Data>(operation: Operation<Data>, variables: Variables) {
      const sparedMs = (host.state.sparedIndexers.get(indexer) ?? 0) - host.instant().nowMs
      if (sparedMs > 0) {
        const reason = 'the indexer refuses load'
        host.observer?.called({ operation: operation.name, ...named, durationMs: 0, outcome: 'shed', reason })
        host.observer?.refusedFor('indexer', sparedMs)
        throw indexerBusy(`not asked: ${reason}`, { isUnsent: true })
      }
      const ended = await send(host, { query, named }, operation, variables, {})
      const wasTurnedAway = ended.kind === 'failure' && ended.reply !== undefined && isTurnedAway(ended.reply)
      const outcome = wasTurnedAway
        ? await send(host, { query, named }, operation, variables, { isRepeat: true })
        : ended
      if (outcome.kind === 'failure') {
        const forMs = outcome.reply?.retryAfterMs
        if (forMs !== undefined) {
          host.learn({ type: 'indexer-refused', indexer, forMs })
          host.observer?.refusedFor('indexer', forMs)
        }
        throw outcome.error
      }
      // The operation has read it.
      return { data: outcome.data as Data, answerMs: outcome.reply.answerMs }
    },
  }
}
