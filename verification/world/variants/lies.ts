// Wrong chains that have no history: they show what the judge of broadcasts would see.
import type { Fate } from '../../../shared/chain/port.ts'
import { changedExchange, changedPorts, unasked, type Variant } from './variant.ts'

/** Gives another fate to every command whose fate is unknown. */
const fated =
  (fateOf: (unknown: Fate & { readonly state: 'unknown' }, lastSent: Fate | undefined) => Fate): Variant =>
  (make) => {
    let lastSent: Fate | undefined
    return changedExchange(({ broadcast }) => ({
      async broadcast(submission) {
        const fate = await broadcast(submission)
        if (fate.state === 'sent') lastSent = fate
        return fate.state === 'unknown' ? fateOf(fate, lastSent) : fate
      },
    }))(make)
  }

export const lies = {
  'calls an unknown outcome refused': fated((fate) => ({ ...fate, state: 'refused' })),
  'calls an unknown outcome sent': fated((fate, lastSent) => lastSent ?? fate),
  'never answers': changedExchange(() => ({ broadcast: () => new Promise(() => undefined) })),
  'takes a broken connection for one that was never made': changedPorts(() => (send, [{ document }]) => {
    const reply = send()
    return document.startsWith('mutation') ? reply.catch(() => Promise.reject(unasked())) : reply
  }),
} satisfies Record<string, Variant>
