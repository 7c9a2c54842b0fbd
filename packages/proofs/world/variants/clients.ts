// Wrong clients, each of which breaks one rule of following a command: a wrapper round the right one, its requests or its
// options. The judge of clients must see each.

import { tipHeaders } from '../../../../shared/http/answer-headers.ts'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import type { createClient, Fetch, Inclusion, Replaced } from '../../../client/src/client.ts'

/** Makes of the right client one that differs in one thing. */
export type ClientVariant = (make: typeof createClient) => typeof createClient

type Answer = Awaited<ReturnType<Fetch>>

/** Changes the answers that a client gets, called for each client. */
const changedAnswers =
  (changing: () => (answer: Answer, url: string, nowMs: number) => Answer | Promise<Answer>): ClientVariant =>
  (make) =>
  (options) => {
    const { fetch = globalThis.fetch as Fetch, clock = Date } = options
    const change = changing()
    return make({ ...options, fetch: async (url, init) => change(await fetch(url, init), url, clock.now()) })
  }

/** Changes what the service says of a command. */
const changedFates = (changing: () => (fate: object, url: string, nowMs: number) => object): ClientVariant =>
  changedAnswers(() => {
    const change = changing()
    return async (answer, url, nowMs) => {
      if (!url.includes('/transactions/') || answer.status !== 200) return answer
      const body = JSON.parse(await answer.text())
      const text = JSON.stringify({ ...body, transaction: change(body.transaction, url, nowMs) })
      const { status, headers } = answer
      return { status, headers, text: async () => text }
    }
  })

/** Takes a refusal for one that holds for ever. */
const believing = (codes: RegExp): ClientVariant =>
  changedAnswers(() => (answer) => {
    const { status, headers } = answer
    const isRefused =
      headers.get('x-broadcast-outcome') === 'refused' && codes.test(headers.get('x-broadcast-code') ?? '')
    if (!isRefused) return answer
    const told: Readonly<Record<string, string>> = {
      'x-broadcast-code': 'memo-too-long',
      'x-broadcast-retriable': 'false',
    }
    return { status, headers: { get: (name) => told[name] ?? headers.get(name) }, text: () => answer.text() }
  })

const searchedMs = 3_600_000

export const wrongClients = {
  // The blocks that the service searches are as old.
  'takes its clock’s word that the blocks with its command were searched': changedFates(() => {
    const firstAskedAtMs = new Map<string, number>()
    return (fate, url, nowMs) => {
      const askedAtMs = firstAskedAtMs.get(url) ?? nowMs
      firstAskedAtMs.set(url, askedAtMs)
      if (memberOf(fate, 'sending') !== 'nonce-used' || nowMs - askedAtMs > searchedMs) return fate
      return { ...fate, state: 'replaced', by: 'another', block: {}, confirmations: 40 }
    }
  }),

  'waits for more blocks than a final one has': changedFates(() => (fate) => ({ ...fate, final: undefined })),

  'counts twelve blocks more than there are': changedFates(() => (fate) => {
    const confirmations = memberOf(fate, 'confirmations')
    return typeof confirmations === 'number' ? { ...fate, confirmations: confirmations + 12 } : fate
  }),

  'lets an owner sign again after a failure under few blocks': changedFates(() => (fate) => {
    const confirmations = memberOf(fate, 'confirmations')
    const hasFailed = typeof confirmations === 'number' && memberOf(fate, 'failureReason') !== undefined
    return hasFailed ? { ...fate, confirmations: confirmations + 15 } : fate
  }),

  'counts a block by the tip of another answer': changedAnswers(() => {
    let highest = 0
    return (answer, url) => {
      highest = Math.max(highest, Number(answer.headers.get(tipHeaders.height) ?? 0))
      if (!url.includes('/blocks/height/') || answer.headers.get(tipHeaders.height) === null) return answer
      const height = String(highest)
      const { status, headers } = answer
      const get = (name: string) => (name === tipHeaders.height ? height : headers.get(name))
      return { status, headers: { get }, text: () => answer.text() }
    }
  }),

  'names what replaced a command by the chain’s hash alone': (make) => (given) => {
    const client = make(given)
    const byChain = (end: Inclusion): Inclusion => {
      if (end.state !== 'replaced') return end
      const { chainHash = end.by, isNamed: _, ...others } = end
      return { ...others, by: chainHash }
    }
    return {
      ...client,
      waitForInclusion: async (...asked) => byChain(await client.waitForInclusion(...asked)),
      sendQueue: (store, options) =>
        client.sendQueue({ ...store, settle: (command, end) => store.settle(command, byChain(end)) }, options),
    }
  },

  'takes a refusal for an end although it was sent before': believing(/^(?!expired$)/),

  'takes the code expired for an end': believing(/^expired$/),

  'does not know what else its owner has signed with the nonce': (make) => (given) => {
    const client = make(given)
    return {
      ...client,
      waitForInclusion: (signed, hash, options) => client.waitForInclusion(signed, hash, { ...options, rivals: [] }),
    }
  },

  'says from memory that a rival has replaced a command': (make) => (given) => {
    const client = make(given)
    const settled: Replaced[] = []
    return {
      ...client,
      waitForInclusion: async (signed, hash, options = {}) => {
        const replaced = settled.find(({ by }) => options.rivals?.some(({ hash: rival }) => rival === by))
        if (replaced) return replaced
        const end = await client.waitForInclusion(signed, hash, options)
        const { confirmations = 0, block, command } = end.state === 'included' ? end : {}
        if (block && confirmations >= 15) {
          settled.push({ state: 'replaced', by: hash, isNamed: true, block, command, confirmations })
        }
        return end
      },
    }
  },

  'takes the first 404 of its account for an end': (make) => (given) => {
    const client = make(given)
    const onTrouble = (error: { readonly code: string }) => {
      if (error.code === 'not-found') throw error
    }
    return {
      ...client,
      sendQueue: (store, options) => client.sendQueue(store, { ...options, onTrouble }),
      waitForInclusion: (signed, hash, options) =>
        client.waitForInclusion(signed, hash, { ...options, onTrouble }).catch((error) => {
          if (error.code !== 'not-found') throw error
          return { state: 'no-account' } as const
        }),
    }
  },

  'searches the older blocks again at each look': (make) => (given) => ({
    ...make(given),
    waitForInclusion: async (signed, hash, options = {}) => {
      for (;;) {
        const end = await make(given).waitForInclusion(signed, hash, { ...options, patienceMs: 1 })
        if (end.state !== 'undecided' && end.state !== 'unconfirmed') return end
        await given.clock?.wait(60_000)
      }
    },
  }),

  'never pauses for more than five seconds': (make) => (given) => {
    const { clock } = given
    return make({
      ...given,
      clock: clock && { ...clock, wait: (ms, signal) => clock.wait(Math.min(ms, 5_000), signal) },
    })
  },

  'says nothing while it waits': (make) => (given) => {
    const client = make(given)
    return {
      ...client,
      waitForInclusion: (signed, hash, { onUpdate: _, ...options } = {}) =>
        client.waitForInclusion(signed, hash, options),
      sendQueue: (store, { onUpdate: _, ...options } = {}) => client.sendQueue(store, options),
    }
  },
} satisfies Record<string, ClientVariant>
