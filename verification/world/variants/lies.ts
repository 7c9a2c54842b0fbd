// Wrong chains that have no history: they show what the judge of broadcasts would see.
import type { Fate } from '../../../shared/chain/port.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { changedExchange, changedPorts, type Variant } from './variant.ts'

export const lies = {
  'calls an unknown outcome refused': changedExchange(({ broadcast }) => ({
    async broadcast(submission) {
      const fate = await broadcast(submission)
      return fate.state === 'unknown' ? { ...fate, state: 'refused' } : fate
    },
  })),

  'calls an unknown outcome sent': (make) => {
    let last: Fate | undefined
    return changedExchange(({ broadcast }) => ({
      async broadcast(submission) {
        const fate = await broadcast(submission)
        if (fate.state === 'sent') last = fate
        return fate.state === 'unknown' ? (last ?? fate) : fate
      },
    }))(make)
  },

  'never answers': changedExchange(() => ({ broadcast: () => new Promise(() => undefined) })),

  'takes a broken connection for one that was never made': changedPorts(
    () =>
      async (send, [{ document }]) =>
        send().catch((error: unknown) => {
          if (!(error instanceof WireError) || !document.startsWith('mutation')) throw error
          throw new WireError('unreachable', error.message, { isUnsent: true })
        }),
  ),
} satisfies Record<string, Variant>
