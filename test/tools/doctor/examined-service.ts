// A whole service for the doctor to examine: tests can break its parts and read what reached its node.
import type { RequestListener } from 'node:http'
import { jest } from '@jest/globals'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { systemClock } from '../../../functions/runtime/system-clock.ts'
import { startService } from '../../../local/start/service.ts'
import { createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import type { Clock } from '../../../shared/chain/port.ts'
import { queryText } from '../../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../../shared/endpoints/all.ts'
import { examine } from '../../../tools/doctor/examination.ts'
import { lineOf } from '../../../tools/doctor/finding.ts'
import type { Plan } from '../../../tools/doctor/plan/plan.ts'
import { serve, untilFileEnds } from '../../serving.ts'

export const posts = endpoints.filter(({ method }) => method === 'POST')
export const gets = endpoints.filter(({ method }) => method === 'GET')
/** Where something may not exist. */
export const lookups = gets.filter(({ identifier }) => identifier?.unknown.status === 404)
/** The requests whose options are refused. */
export const badOptions = gets.flatMap(({ name, path }) => {
  const { query } = contracts[name].samples[400] ?? {}
  return query === undefined ? [] : [path.replace(/{.*}/, 'unknown') + queryText(query)]
})

/** Runs until the tests of the file have. */
export async function examinedService() {
  const chain = createChain({ seed: 'doctor', now: Date.now, blockSeconds: 3600, signsOwnCommands: false })
  /** Every body that reached the node. */
  const received: string[] = []
  /** Replaces the node while it is set. */
  const stand: { in?: RequestListener | undefined } = {}
  const serveNode = nodeServer(chain)
  const node = await serve((request, response) => {
    const index = received.push('') - 1
    request.on('data', (chunk) => {
      received[index] += chunk
    })
    return (stand.in ?? serveNode)(request, response)
  }, untilFileEnds)
  const indexerState: IndexerState = {}
  const indexer = await serve(indexerServer(chain, indexerState), untilFileEnds)
  // Long time-outs, so that a busy machine does not cause findings.
  const timeOuts = ['UPSTREAM_TIMEOUT_MS', 'INDEXER_TIMEOUT_MS', 'INDEXER_STAKES_TIMEOUT_MS']
  const environment = {
    NODE_GRAPHQL_URL: `${node.url}/graphql`,
    INDEXER_GRAPHQL_URL: `${indexer.url}/graphql`,
    ...Object.fromEntries(timeOuts.map((name) => [name, '20000'])),
  }
  const after: Clock['after'] = (ms, action) => systemClock.after(20 * ms, action)
  const { url } = untilFileEnds(await startService({ environment, after, log: () => undefined }))
  const upstreams = {
    settings: readSettings(environment),
    expected: { chainIds: [chain.chainId], network: 'devnet' as const },
    ...{ unreadKeys: [], secrets: [] },
  }
  return { chain, received, stand, indexerState, url, upstreams, plan: { ...upstreams, url } }
}

/** The doctor's lines, with N for times and slots, which depend on the speed of the test. */
export async function linesOf(plan: Plan): Promise<string[]> {
  const lines: string[] = []
  // Durations are the test's: on a busy machine a question of milliseconds takes seconds, which would be a finding.
  const measured = jest.spyOn(performance, 'now').mockReturnValue(0)
  for await (const finding of examine(plan, Date.now)) {
    const line = lineOf(finding).replace(/\b\d+ ms(?= \(|$)/, 'N ms')
    lines.push(line.replace(/\b[01] slots of/, 'N slots of').replace(/(slots since the tip) [01]\b/, '$1 N'))
  }
  measured.mockRestore()
  return lines
}

/** The lines that are not `ok`. */
export const problems = async (plan: Plan): Promise<string[]> =>
  (await linesOf(plan)).filter((line) => !line.startsWith('ok '))
