// The defects that were once measured, each put back into the right chain.

import { blockAtHeightQuery } from '../../../../shared/chain/actions/find-block.ts'
import type { RequestOptions } from '../../../../shared/chain/port.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { missingBlock } from '../../../../shared/upstream/node-errors.ts'
import { isRefusedLoad, isRefusedUnread } from '../../../../shared/upstream/node-query.ts'
import { type Operation, operation } from '../../../../shared/upstream/operation.ts'
import type { Reply } from '../../../../shared/upstream/query.ts'
import { shape, text, type Variables } from '../../../../shared/upstream/wire.ts'
import { zeroStateHash } from '../../../testnet/hashes.ts'
import { changedChecks, changedPorts, changedView, isCheck, unasked, type Variant } from './variant.ts'

const statusQuery = operation('node', 'query', 'nodeStatus', '', shape({ daemonStatus: shape({ chainId: text }) }))
const never = Number.NEGATIVE_INFINITY

const genesisOf = ({ data }: Reply): string | undefined => Object(data).genesisBlock?.stateHash
const genesisBlockOf = (stateHash: string) => ({
  stateHash,
  protocolState: { consensusState: { blockchainLength: '1' } },
})

/** In the order in which they were measured. */
export const defects = {
  'calls a node unsafe while its network is being asked': changedChecks(() => {
    let isAsking = false
    return async (send) => {
      if (isAsking) throw unasked()
      isAsking = true
      return send().finally(() => {
        isAsking = false
      })
    }
  }),

  'does not wait for the first listed node': changedChecks(({ nodes }) => {
    let isCold = true
    return async (send, _asked, { name }) => {
      if (name !== nodes[0]?.name || !isCold) return send()
      isCold = false
      throw unasked()
    }
  }),

  'checks the network by daemonStatus': changedChecks(() => async (send, [, , limits], port) => {
    await port.query(statusQuery, {}, { ...limits, limitMs: Math.min(2000, limits?.limitMs ?? 2000) })
    return send()
  }),

  'gives up with the first node that does not say its network': changedChecks(() => {
    let isLost = false
    return async (send) => {
      const reply = await send().catch(() => undefined)
      isLost ||= reply?.data === undefined || reply.data === null
      if (isLost || reply === undefined) throw unasked()
      return reply
    }
  }),

  'believes that every node is on its network': changedPorts(
    ({ genesisStateHashes: [genesisStateHash = zeroStateHash] = [] }) =>
      async (send) => {
        const reply = await send()
        if (genesisOf(reply) === undefined) return reply
        return { ...reply, data: { ...Object(reply.data), genesisBlock: genesisBlockOf(genesisStateHash) } }
      },
  ),

  'takes an absence for evidence': changedView((view) => ({
    async request<Data>(operation: Operation<Data>, variables: Variables, options?: RequestOptions) {
      const answer = await view.request(operation, variables, options)
      if (operation.name !== blockAtHeightQuery.name || answer.data !== undefined) return answer
      const unread = { stateHash: 'unread', atMs: view.wallMs(), syncStatus: 'SYNCED', genesisStateHash: '' }
      let height = answer.tip?.height ?? 0
      while (view.isStaleHeight(height)) height++
      const tip = { ...unread, ...answer.tip, height }
      // Another block, not a child of the one that is looked up.
      const block = { protocolState: { consensusState: { blockHeight: 0 }, previousStateHash: 'another' } }
      return { ...answer, tip, data: { block } as Data }
    },
  })),

  'believes the first absence': changedPorts(({ clock }) => {
    const absent = new Map<string, { readonly reply: Reply; readonly at: number }>()
    return async (send, [, { stateHash }]) => {
      const known = absent.get(String(stateHash))
      if (known !== undefined && clock.now() - known.at < 10_000) return known.reply
      const reply = await send()
      const isAbsent = reply.errors.some((message) => missingBlock(message) === stateHash)
      if (isAbsent) absent.set(String(stateHash), { reply, at: clock.now() })
      return reply
    }
  }),

  'sheds every read for a second after a busy answer': (make) => (options) => {
    let busyAt = never
    const spared = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (options.clock.now() - busyAt < 1000) throw unasked()
      return ask()
    }
    const noting = changedPorts(() => async (send) => {
      const reply = await send()
      if (isRefusedLoad(reply)) busyAt = options.clock.now()
      return reply
    })
    const sparing = changedView((view) => ({
      request: (...asked) => spared(() => view.request(...asked)),
    }))
    return sparing(noting(make))(options)
  },

  'spares a node for half a minute after it refused ten calls': (make) => (options) => {
    let refusedAt: readonly number[] = []
    const spared = async <T>(ask: () => Promise<T>): Promise<T> => {
      const refused = refusedAt.filter((at) => options.clock.now() - at < 30_000).slice(-10)
      if (options.random() < Math.max(0, 2 * refused.length - 10) / 11) throw unasked()
      return ask()
    }
    const noting = changedPorts(() => async (send) => {
      const reply = await send()
      refusedAt = isRefusedLoad(reply) ? [...refusedAt, options.clock.now()] : refusedAt.slice(1)
      return reply
    })
    const sparing = changedView((view) => ({
      request: (...asked) => spared(() => view.request(...asked)),
    }))
    return sparing(noting(make))(options)
  },

  'puts a node last after two useless answers': changedPorts(({ clock }) => {
    const places = new Map<string, { faults: number; outUntil: number }>()
    return async (send, _asked, { name }) => {
      const place = places.get(name) ?? { faults: 0, outUntil: never }
      places.set(name, place)
      if (clock.now() < place.outUntil) throw unasked()
      const reply = await send()
      place.faults = reply.status === 500 ? place.faults + 1 : 0
      if (place.faults >= 2) place.outUntil = clock.now() + 10_000
      return reply
    }
  }),

  'takes the wall clock for every time': (make) => (options) =>
    make({ ...options, clock: { ...options.clock, elapsed: options.clock.now } }),

  'believes no tip ahead of its clock': (make) => (options) =>
    changedView((view) => ({
      async request(operation, ...asked) {
        const answer = await view.request(operation, ...asked)
        const isAhead = answer.tip !== undefined && answer.tip.atMs > options.clock.now() + 180_000
        if (isAhead && operation.name === blockAtHeightQuery.name) throw unasked()
        return answer
      },
    }))(make)(options),

  'asks no node for its network for ten seconds after a failure': changedChecks(({ clock }) => {
    const failedAt = new Map<string, number>()
    return async (send, _asked, { name }) => {
      if (clock.now() - (failedAt.get(name) ?? never) < 10_000) throw unasked()
      return send().catch((error: unknown) => {
        failedAt.set(name, clock.now())
        throw error
      })
    }
  }),

  'counts what was never sent among its three calls': (make) => (options) => {
    let refused = 0
    const counting = changedPorts(() => async (send) => {
      if (refused >= 3) throw unasked()
      return send().catch((error: unknown) => {
        refused += Number(error instanceof WireError && error.isUnsent)
        throw error
      })
    })
    const chain = counting(make)(options)
    return {
      view(terms) {
        refused = 0
        return chain.view(terms)
      },
    }
  },

  'waits for daemonStatus before it reads': changedPorts(() => {
    const known = new Set<string>()
    return async (send, [asked, , limits], port) => {
      if (!known.has(port.name) && asked.document.startsWith('query')) {
        await port.query(statusQuery, {}, { ...limits, limitMs: 8000 }).catch(() => undefined)
        known.add(port.name)
      }
      return send()
    }
  }),

  'joins no second node once its budget is empty': (make) => (options) => {
    const { now, elapsed, after } = options.clock
    const isHedge = (milliseconds: number) => milliseconds >= 1400 && milliseconds <= 1500
    const clock = {
      now,
      elapsed,
      after: ((ms, action) => (isHedge(ms) ? () => undefined : after(ms, action))) as typeof after,
    }
    return make({ ...options, clock })
  },

  'forgets what it has shown': (make) => (options) => ({ view: (terms) => make(options).view(terms) }),

  'leaves calls running behind the answer': (make) => {
    const deaf = changedPorts(() => (_send, [asked, variables, limits], { query }) => {
      const { signal: _signal, ...others } = limits ?? {}
      return query(asked, variables, others)
    })
    return changedView(() => ({ end: () => undefined }))(deaf(make))
  },

  'takes a Rust node for a daemon': changedPorts(({ genesisStateHashes }) => {
    let network = genesisStateHashes?.[0] ?? zeroStateHash
    return async (send, [asked]) => {
      const reply = await send()
      network = genesisOf(reply) ?? network
      if (!isRefusedUnread(reply)) return reply
      return isCheck(asked)
        ? { status: 200, errors: [], data: { genesisBlock: genesisBlockOf(network) } }
        : { ...reply, status: 200 }
    }
  }),

  'does not know the words of a pool without a ledger': changedPorts(() => async (send) => {
    const reply = await send()
    return { ...reply, errors: reply.errors.map((message) => message.replace(/\(failure .*/, 'something went wrong')) }
  }),
} satisfies Record<string, Variant>
