// Wrong services that have no history: they show what the judge of broadcasts would see.
import type { Answer } from '../../../../shared/http/answer.ts'
import { changedPorts, unasked, type Variant } from './variant.ts'

const outcomeOf = ({ headers }: Answer): string | undefined => headers?.['x-broadcast-outcome']

/** Gives another answer to every command whose outcome is unknown. */
const lying = (lie: (unknown: Answer, lastSent: Answer | undefined) => Answer): Variant =>
  Object.assign<Variant, Pick<Variant, 'answering'>>((make) => make, {
    answering() {
      let lastSent: Answer | undefined
      return async (answer) => {
        if (answer.status === 201) lastSent = answer
        return outcomeOf(answer) === 'unknown' ? lie(answer, lastSent) : answer
      }
    },
  })

export const lies = {
  'calls an unknown outcome refused': lying((answer) => ({
    ...answer,
    headers: { ...answer.headers, 'x-broadcast-outcome': 'refused' },
  })),
  'calls an unknown outcome sent': lying((answer, lastSent) => lastSent ?? answer),
  'never answers': Object.assign<Variant, Pick<Variant, 'answering'>>((make) => make, {
    answering: () => (answer) => (outcomeOf(answer) === undefined ? Promise.resolve(answer) : new Promise(() => {})),
  }),
  'takes a broken connection for one that was never made': changedPorts(() => (send, [{ document }]) => {
    const reply = send()
    return document.startsWith('mutation') ? reply.catch(() => Promise.reject(unasked())) : reply
  }),
} satisfies Record<string, Variant>
