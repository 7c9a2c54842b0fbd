// The code under test: an instance of the service as its functions make it, over the ports of the world.
import { failureAnswer } from '../../../../functions/runtime/answer.ts'
import { createChain } from '../../../../shared/chain/chain.ts'
import type { ChainOptions } from '../../../../shared/chain/port.ts'
import { faultText, type OptionTexts } from '../../../../shared/contract/query/read-options.ts'
import { maxAnswerMs } from '../../../../shared/deployment/settings.ts'
import { defaultSettings } from '../../../../shared/deployment/stage-settings.ts'
import type { Endpoint, EndpointRequest } from '../../../../shared/endpoints/endpoint.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import type { Tip } from '../../../../shared/upstream/query.ts'
import type { Variant } from '../variants/variant.ts'

export interface Served {
  readonly answer: Answer
  /** The one that labels the answer: that from which it counts, otherwise the lowest that it rests on. */
  readonly tip: Tip | undefined
  /** State hashes of the genesis blocks of the tips that it rests on. */
  readonly networks: ReadonlySet<string>
}

/** A request with the texts of its options. */
export interface AskedRequest extends Omit<EndpointRequest, 'query'> {
  readonly query: OptionTexts
}

/** Answers a request as a function does, errors included. */
export type Service = (endpoint: Endpoint, request: AskedRequest) => Promise<Served>

/** Makes an instance, cold. */
export type StartService = (options: ChainOptions) => Service

const nothing = () => undefined

/** The service over a wrong chain. */
export const serviceAs =
  (variant: Variant): StartService =>
  (options) => {
    const chain = variant(createChain)(options)
    const told = variant.answering?.() ?? (async (answer: Answer) => answer)
    return async (endpoint, request) => {
      let tip: Tip | undefined
      const networks = new Set<string>()
      const answeredAt = (shown: Tip) => {
        if (shown.height <= (tip?.height ?? shown.height)) tip = shown
        networks.add(shown.genesisStateHash)
      }
      const observer = {
        ...{ called: nothing, noticed: nothing, outOfUse: nothing, refusedFor: nothing, doubted: nothing, answeredAt },
      }
      const view = chain.view({ withinMs: maxAnswerMs, observer })
      const { body = request.body } = endpoint.readBody?.(request.body, defaultSettings) ?? {}
      const { values: query, faults } = endpoint.query?.read(request.query, endpoint.path) ?? { values: {}, faults: [] }
      if (faults.length > 0) throw new Error(`The world asks amiss: ${faultText(faults)}`)
      const input = endpoint.input({ ...request, query, body })
      if (input === undefined) throw new Error('The world asks for what cannot exist')
      const run = async () => endpoint.run(input, view)
      const answer = await told(await run().catch((error: unknown) => failureAnswer(error, endpoint)))
      view.end()
      return { answer, networks, tip: answer.tip ?? tip }
    }
  }

export const service: StartService = serviceAs((make) => make)
