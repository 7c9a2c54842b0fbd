// A whole service for the doctor to examine: tests can break its parts and read what reached its node.
import type { IncomingMessage, RequestListener } from 'node:http'
import { readSettings, type Settings } from '../../../functions/runtime/settings/settings.ts'
import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import { type Chain, createChain } from '../../../local/chain/chain.ts'
import type { IndexerState } from '../../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { listen } from '../../../local/start/listen.ts'
import { startService } from '../../../local/start/service.ts'
import { examine } from '../../../tools/doctor/examination.ts'
import { lineOf } from '../../../tools/doctor/finding.ts'
import type { Plan } from '../../../tools/doctor/plan/plan.ts'

export interface ExaminedService {
  readonly chain: Chain
  readonly indexer: IndexerState
  readonly plan: Plan & { readonly url: string; readonly settings: Settings & { readonly indexer: Upstream } }
  /** Every body that reached the node. */
  readonly received: readonly string[]
  /** Replaces the node until it is cleared. */
  node: RequestListener | undefined
  /** Undoes every change. */
  heal(): void
  close(): Promise<void>
}

/** @param aheadMs milliseconds by which the chain's clock is ahead of this machine's */
export async function examinedService(aheadMs = 0): Promise<ExaminedService> {
  const chain = createChain({ seed: 'doctor', now: () => Date.now() + aheadMs, blockSeconds: 60 })
  const serveNode = nodeServer(chain)
  const received: string[] = []
  const record = (request: IncomingMessage) => {
    const index = received.push('') - 1
    request.on('data', (chunk) => {
      received[index] += chunk
    })
  }
  const nodeListening = await listen(
    (request, response) => {
      record(request)
      return (running.node ?? serveNode)(request, response)
    },
    0,
    '127.0.0.1',
  )
  const indexer: IndexerState = {}
  const indexerListening = await listen(indexerServer(chain, indexer), 0, '127.0.0.1')
  const environment = {
    NODE_GRAPHQL_URL: `http://127.0.0.1:${nodeListening.port}/graphql`,
    INDEXER_GRAPHQL_URL: `http://127.0.0.1:${indexerListening.port}/graphql`,
    // Long time-outs, so that a busy machine does not cause findings.
    UPSTREAM_TIMEOUT_MS: '20000',
    INDEXER_TIMEOUT_MS: '20000',
    INDEXER_STAKES_TIMEOUT_MS: '20000',
  }
  const service = await startService({ environment, log: () => undefined })
  const settings = readSettings(environment)
  const { indexer: indexerUpstream } = settings
  if (indexerUpstream === undefined) throw new Error('no indexer is configured')
  const running: ExaminedService = {
    chain,
    indexer,
    plan: {
      settings: { ...settings, indexer: indexerUpstream },
      expected: { chainId: chain.chainId, network: 'devnet' },
      url: service.url,
      unreadKeys: [],
      secrets: [],
    },
    received,
    node: undefined,
    heal() {
      chain.bootstrapping = false
      running.node = undefined
      delete indexer.behind
    },
    async close() {
      await Promise.all([service.close(), nodeListening.close(), indexerListening.close()])
    },
  }
  return running
}

/** The same plan without the deployment. */
export const upstreamsOf = ({ plan: { url: _, ...rest } }: ExaminedService) => rest

/** The doctor's lines, with N for times and slots, which depend on the speed of the test. */
export async function linesOf(plan: Plan): Promise<string[]> {
  const lines: string[] = []
  for await (const finding of examine(plan, Date.now)) {
    lines.push(
      lineOf(finding)
        .replace(/\b\d+ ms(?= \(|$)/, 'N ms')
        .replace(/\b[01] slots of/, 'N slots of'),
    )
  }
  return lines
}

/** The lines that are not `ok`. */
export const problems = async (plan: Plan): Promise<string[]> =>
  (await linesOf(plan)).filter((line) => !line.startsWith('ok '))
