// Answers of the whole service over an embedded chain, and the requests for them: the examples of the OpenAPI document.
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import { systemClock } from '../../functions/runtime/system-clock.ts'
import type { ChainBlock } from '../../packages/testnet/block.ts'
import { type Chain, createChain } from '../../packages/testnet/chain.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import { namedIn, optionsNamedIn } from '../../packages/testnet/named.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import type { Clock } from '../../shared/chain/port.ts'
import {
  documentedValue,
  filledPath,
  heldValues,
  missingValues,
  parametersOf,
  pathParameters,
  queryText,
} from '../../shared/contract/parameters.ts'
import { contracts, type DeclaredEndpoint, endpoints } from '../../shared/endpoints/all.ts'
import { gateway } from '../gateway/gateway.ts'
import { hurriedClock } from '../start/hurried-clock.ts'
import { listen } from '../start/listen.ts'
import { serviceRoutes } from '../start/routes.ts'
import { type SignedForms, signedDelegation, signedPayment, walletOf } from './signed-forms.ts'

/** Bodies by name. */
export type NamedBodies = Readonly<Record<string, unknown>>

export interface EndpointExamples {
  /** Bodies of the request. */
  readonly requests?: NamedBodies
  /** Values of the parameters of a request that is answered with 200. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Bodies of the answer by status. */
  readonly responses: Readonly<Record<string, NamedBodies>>
}

const timeOuts = ['UPSTREAM_TIMEOUT_MS', 'INDEXER_TIMEOUT_MS', 'INDEXER_STAKES_TIMEOUT_MS']

const now = Date.UTC(2026, 0, 1)

/**
 * A chain with so few MINA that no integer of a block is above 2^53: viewers of the document, and most parsers, would
 * round it. Its slots are as long as mainnet's.
 */
const exampleChain = (): Chain =>
  createChain({ seed: 'examples', now: () => now, blockSeconds: 90, slotsPerEpoch: 12, supplyDivisor: 1000n })

/** The same signed command in each form that a wallet may post. */
function signedForms(chain: Chain) {
  const command = { memo: 'example', nonce: '0' }
  return {
    payment: signedPayment(chain, command),
    delegation: signedDelegation(chain, command),
    late: signedPayment(chain, { ...command, nonce: '7' }).contract,
  }
}

function blockWithRareCommands(chain: Chain): ChainBlock {
  const found = chain
    .frontier()
    .find(
      ({ userCommands, zkappCommands }) => zkappCommands.length > 0 && userCommands.some((one) => one.failureReason),
    )
  if (found === undefined) throw new Error('The chain has no block with failed and zkApp commands')
  return found
}

/** Starts the service, asks it, and stops it. The same at every call. By the endpoint's name. */
export async function examples(): Promise<Readonly<Record<string, EndpointExamples>>> {
  const chain = exampleChain()
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const indexer = await listen(indexerServer(chain), 0, '127.0.0.1')
  const settings = readSettings({
    NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexer.port}/graphql`,
    // A busy machine must not change an example.
    ...Object.fromEntries(timeOuts.map((name) => [name, '20000'])),
  })
  // The tip of the chain is as old as it was when the chain was made. Only broadcasts pause, and need not.
  let waiting: Clock = systemClock
  const clock: Clock = { ...systemClock, now: () => now, after: (...pause) => waiting.after(...pause) }
  const routes = await serviceRoutes(settings, () => undefined, clock)
  const front = await listen(gateway(routes, { now: () => now }), 0, '127.0.0.1')

  const ask = async (status: number, path: string, body?: unknown): Promise<unknown> => {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${front.port}${path}`, post)
    const text = await answer.text()
    const missing = answer.headers.get('x-missing-fields')
    if (missing !== null) throw new Error(`${path} lacks ${missing}`)
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}, not ${status}: ${text}`)
    return JSON.parse(text)
  }
  /** Answers to the samples of a GET, with things of the chain that show as much as they can. */
  async function reading({ name, path }: DeclaredEndpoint): Promise<EndpointExamples> {
    const { stateHash, height: blockHeight, userCommands } = blockWithRareCommands(chain)
    // The wallets have sent nothing yet.
    const sender = userCommands[0]?.command.from ?? ''
    const creator = name === 'getAccountTransactions' ? sender : walletOf(chain, 'alice').publicKey
    const named = { ...namedIn(chain), stateHash, blockHeight, creator }
    const values = heldValues(named)
    const responses: Record<string, NamedBodies> = {}
    for (const [status, sample] of Object.entries(contracts[name].samples)) {
      const filled = filledPath(path, status === '404' ? missingValues(sample) : values)
      responses[status] = { [sample.shows]: await ask(Number(status), filled + queryText(sample.query)) }
    }
    const inPath = parametersOf(path).map((name) => [name, documentedValue(pathParameters[name], values[name])])
    const options = Object.keys(contracts[name].request?.query?.options ?? {})
    const inQuery = Object.entries(optionsNamedIn(chain)).filter(([option]) => options.includes(option))
    const parameters = {
      ...Object.fromEntries([...inPath, ...inQuery]),
      ...contracts[name].samples[200]?.query,
    }
    return { ...(Object.keys(parameters).length > 0 && { parameters }), responses }
  }

  /** @param refused a command that the node does not take */
  async function broadcasting({ name, path }: DeclaredEndpoint, requests: SignedForms, refused?: object) {
    const { shows = 'refused', body } = contracts[name].samples[400] ?? {}
    return {
      requests,
      responses: {
        201: { accepted: await ask(201, path, requests.contract) },
        400: {
          ...(refused && { refusedByTheNode: await ask(400, path, refused) }),
          [shows]: await ask(400, path, body),
        },
      },
    }
  }

  try {
    const { payment, delegation, late } = signedForms(chain)
    const written: Record<string, EndpointExamples> = {}
    // One after the other: the pending payment shows in its sender's account.
    for (const endpoint of endpoints) {
      waiting = endpoint.method === 'GET' ? systemClock : hurriedClock
      written[endpoint.name] =
        endpoint.method === 'GET'
          ? await reading(endpoint)
          : await (endpoint.name === 'broadcastDelegation'
              ? broadcasting(endpoint, delegation)
              : broadcasting(endpoint, payment, late))
    }
    return written
  } finally {
    await Promise.all([front, node, indexer].map((server) => server.close()))
  }
}
