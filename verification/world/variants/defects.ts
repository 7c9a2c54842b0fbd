// The sixteen defects that were once measured, each put back into the right chain.
import { zeroStateHash } from '../../../local/chain/hashes.ts'
import { isRefusedUnread } from '../../../shared/chain/decide.ts'
import { blockAtHeightQuery } from '../../../shared/chain/look-up.ts'
import type { Clock } from '../../../shared/chain/outside.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { missingBlock } from '../../../shared/upstream/node-errors.ts'
import { isRefusedLoad } from '../../../shared/upstream/node-query.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'
import { changedExchange, changedPorts, changedReplies, type Variant } from './variant.ts'

const statusQuery = operation('node', 'query', 'nodeStatus', '', shape({ daemonStatus: shape({ chainId: text }) }))

/** The question which network a node is on, alone. */
const isCheck = ({ document }: { readonly document: string }): boolean =>
  document.includes('genesisBlock') && !document.includes('bestChain')

const unasked = () => new WireError('unreachable', 'not asked', { isUnsent: true })

const genesisOf = ({ data }: Reply): string | undefined => Object(data).genesisBlock?.stateHash

const genesisBlockOf = (stateHash: string) => ({
  stateHash,
  protocolState: { consensusState: { blockchainLength: '1' } },
})

/** The clock without the timers that a test selects. */
const clockWithout = ({ now, after }: Clock, isLeftOut: (milliseconds: number) => boolean): Clock => ({
  now,
  after: (milliseconds, action) => (isLeftOut(milliseconds) ? () => undefined : after(milliseconds, action)),
})

/** In the order in which they were measured. */
export const defects = {
  'calls a node unsafe while its network is being asked': changedPorts(() => {
    let asking = 0
    return async (send, [asked]) => {
      if (!isCheck(asked)) return send()
      if (asking > 0) throw unasked()
      asking += 1
      return send().finally(() => {
        asking -= 1
      })
    }
  }),

  'does not wait for the first listed node': changedPorts(({ nodes }) => {
    let isCold = true
    return async (send, [asked], port) => {
      if (!isCheck(asked) || port.name !== nodes[0]?.name || !isCold) return send()
      isCold = false
      throw unasked()
    }
  }),

  'checks the network by daemonStatus': changedPorts(() => async (send, [asked, , limits], port) => {
    if (isCheck(asked))
      await port.query(statusQuery, {}, { ...limits, limitMs: Math.min(2000, limits?.limitMs ?? 2000) })
    return send()
  }),

  'gives up with the first node that does not say its network': changedPorts(() => {
    let isLost = false
    return async (send, [asked]) => {
      if (!isCheck(asked)) return send()
      const reply = await send().catch(() => undefined)
      isLost ||= reply === undefined || reply.data === undefined || reply.data === null
      if (isLost || reply === undefined) throw unasked()
      return reply
    }
  }),

  'believes that every node is on its network': changedPorts(({ genesisStateHash = zeroStateHash }) => async (send) => {
    const reply = await send()
    if (genesisOf(reply) === undefined) return reply
    return { ...reply, data: { ...Object(reply.data), genesisBlock: genesisBlockOf(genesisStateHash) } }
  }),

  'takes an absence for evidence': changedExchange(({ ask, lookUp }) => ({
    async lookUp(stateHash, question) {
      const found = await ask(question, { stateHash }).catch(() => undefined)
      if (found?.tip === undefined) return lookUp(stateHash, question)
      const { block } = found.data
      const { blockHeight } = block.protocolState.consensusState
      const above = await ask(blockAtHeightQuery, { height: blockHeight + 1 }).catch(() => undefined)
      const parent = above?.data.block.protocolState.previousStateHash
      const canonical = found.tip.stateHash === stateHash || parent === stateHash
      return { state: 'held', block, canonical, depth: found.tip.height - blockHeight, isBrief: false }
    },
  })),

  'believes the first absence': changedPorts(({ clock }) => {
    const absent = new Map<string, { readonly reply: Reply; readonly at: number }>()
    return async (send, [, { stateHash }]) => {
      const known = absent.get(String(stateHash))
      if (known !== undefined && clock.now() - known.at < 10_000) return known.reply
      const reply = await send()
      if (reply.errors.some((message) => missingBlock(message) === stateHash)) {
        absent.set(String(stateHash), { reply, at: clock.now() })
      }
      return reply
    }
  }),

  'sheds every read for a second after a busy answer': (make) => (options) => {
    let busyAt = Number.NEGATIVE_INFINITY
    const spared = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (options.clock.now() - busyAt < 1000) throw new WireError('busy', 'not asked', { isUnsent: true })
      return ask()
    }
    const noting = changedPorts(() => async (send) => {
      const reply = await send()
      if (isRefusedLoad(reply)) busyAt = options.clock.now()
      return reply
    })
    const sparing = changedExchange((exchange) => ({
      ask: (...asked) => spared(() => exchange.ask(...asked)),
      lookUp: (...asked) => spared(() => exchange.lookUp(...asked)),
    }))
    return sparing(noting(make))(options)
  },

  'asks no node for its network for ten seconds after a failure': changedPorts(({ clock }) => {
    const failedAt = new Map<string, number>()
    return async (send, [asked], { name }) => {
      if (!isCheck(asked)) return send()
      if (clock.now() - (failedAt.get(name) ?? Number.NEGATIVE_INFINITY) < 10_000) throw unasked()
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
      exchange(terms) {
        refused = 0
        return chain.exchange(terms)
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

  'joins no second node once its budget is empty': (make) => (options) =>
    make({
      ...options,
      clock: clockWithout(options.clock, (milliseconds) => milliseconds >= 1400 && milliseconds <= 1500),
    }),

  'forgets what it has shown': (make) => (options) => ({ exchange: (terms) => make(options).exchange(terms) }),

  'leaves calls running behind the answer': (make) => (options) => {
    const deaf = changedPorts(
      () =>
        async (_send, [asked, variables, { signal: _signal, ...limits } = {}], port) =>
          port.query(asked, variables, limits),
    )
    return changedExchange(() => ({ end: () => undefined }))(deaf(make))(options)
  },

  'takes a Rust node for a daemon': changedPorts(({ genesisStateHash }) => {
    let network = genesisStateHash ?? zeroStateHash
    return async (send, [asked]) => {
      const reply = await send()
      network = genesisOf(reply) ?? network
      if (!isRefusedUnread(reply)) return reply
      return isCheck(asked)
        ? { status: 200, errors: [], data: { genesisBlock: genesisBlockOf(network) } }
        : { ...reply, status: 200 }
    }
  }),

  'does not know the words of a pool without a ledger': changedReplies((reply) => ({
    ...reply,
    errors: reply.errors.map((message) => message.replace(/\(failure .*/, 'something went wrong')),
  })),
} satisfies Record<string, Variant>
