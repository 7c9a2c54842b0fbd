// Instances of the service as Lambda runs them: one request at a time each, cold at first, frozen between requests, and
// some day gone.

import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { pick, type Random } from '../../../testnet/random.ts'
import { createProcess, type Process, type VirtualTime } from '../time.ts'
import type { Caller } from '../wire/place.ts'
import type { Wire } from '../wire/wire.ts'
import type { AskedRequest, Served, StartService } from './service.ts'

export interface FleetSetting {
  readonly genesisStateHashes: readonly string[]
  /** The probability that an instance is gone before its next request. */
  readonly deaths: number
  /** By how much the instances' wall clock is ahead, so long after the world began. */
  readonly wallErrorMs?: ((sinceMs: number) => number) | undefined
  /** Makes the ports of an instance, whose calls belong to the request that it answers. */
  readonly nodes: Wire
  readonly indexer?: ((process: Process) => QueryUpstream) | undefined
}

export interface Answered extends Served {
  /** Which instance answered. */
  readonly by: object
  readonly isCold: boolean
  /** Timers and calls that the answer has left behind. */
  readonly left: number
}

/** @throws our own faults, which no upstream explains */
export type Fleet = (endpoint: Endpoint, request: AskedRequest, caller: Caller) => Promise<Answered>

export function createFleet(random: Random, time: VirtualTime, start: StartService, setting: FleetSetting): Fleet {
  const { genesisStateHashes, deaths, wallErrorMs = () => 0 } = setting
  const begunAt = time.now()

  function create(first: Caller) {
    const process = createProcess(time, () => wallErrorMs(time.now() - begunAt))
    const instance = { process, caller: first }
    const nodes = setting.nodes(process, () => instance.caller)
    const indexers = setting.indexer === undefined ? [] : [setting.indexer(process)]
    const service = start({ nodes, indexers, clock: process, random, genesisStateHashes })
    return Object.assign(instance, { service })
  }

  /** Those that have nothing to do, by their function. */
  const idle = new Map<Endpoint, ReturnType<typeof create>[]>()

  return async (endpoint, request, caller) => {
    const waiting = idle.get(endpoint) ?? []
    idle.set(endpoint, waiting)
    const warm = waiting.length > 0 && random() >= deaths ? pick(random, waiting) : undefined
    if (warm !== undefined) waiting.splice(waiting.indexOf(warm), 1)
    else waiting.pop()
    const instance = warm ?? create(caller)
    const { process, service } = instance
    instance.caller = caller
    process.thaw()
    const served = await service(endpoint, request)
    const left = process.pending()
    process.freeze()
    waiting.push(instance)
    return { ...served, by: instance, isCold: warm === undefined, left }
  }
}
