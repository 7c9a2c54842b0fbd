// The runbook has the words of the log.
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { expect, test } from '@jest/globals'
import type { RequestLine } from '../../functions/runtime/log.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import { indexerServer } from '../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { filledPath, unheldValues } from '../../shared/contract/parameters.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { chainClock, gatewayOver, get, now } from '../end-to-end/running-service.ts'
import { serve, unservedUrl, untilFileEnds } from '../serving.ts'

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')

const quotedIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, quoted = '']) => quoted)

const chain = createChain({
  seed: 'notes',
  now: () => now,
  historyBlocks: 60,
  frontierBlocks: 20,
  signsOwnCommands: false,
})
const node = await serve(nodeServer(chain), untilFileEnds)
const upgradedNode = await serve(nodeServer(chain.forkAfter(1)), untilFileEnds)
const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

/** Paths of the service: nothing that the node lacks, the account of a wallet, and a block that the node has forgotten. */
const paths = [
  ...endpoints.filter(({ method }) => method === 'GET').map(({ path }) => filledPath(path, unheldValues)),
  `/accounts/${chain.wallets[0]?.publicKey}`,
  `/blocks/${chain.bestChain()[25]?.stateHash}`,
]

const refusing: RequestListener = (_request, response) => response.writeHead(401).end()
const hanging: RequestListener = () => undefined

const troubles: Readonly<Record<string, RequestListener | undefined>> = {
  'is down': undefined,
  hangs: hanging,
  'refuses its key': refusing,
  'has no block': indexerServer(chain, { behind: 10_000 }),
  'is behind': indexerServer(chain, { behind: 30 }),
  'is far behind': indexerServer(chain, { behind: 55 }),
  'is on another chain': indexerServer(chain, { genesisStateHash }),
}

/** The lines of the requests that an indexer's trouble costs something. */
async function linesBeside(indexer: RequestListener | undefined, nodeUrl = node.url): Promise<readonly RequestLine[]> {
  const lines: RequestLine[] = []
  const indexerUrl = indexer === undefined ? unservedUrl : (await serve(indexer)).url
  const environment = {
    NODE_GRAPHQL_URL: `${nodeUrl}/graphql`,
    INDEXER_GRAPHQL_URL: `${indexerUrl}/graphql`,
    ...(indexer === hanging && { INDEXER_TIMEOUT_MS: '100', INDEXER_STAKES_TIMEOUT_MS: '100' }),
  }
  const { url } = await serve(await gatewayOver(environment, (line) => lines.push(line), chainClock))
  for (const path of paths) await get(`${url}${path}`)
  return lines.filter(({ note }) => note !== undefined)
}

/** The texts in backticks at the heads of a section's bullets. */
const headsIn = (heading: string): readonly string[] => {
  const [, section = ''] = new RegExp(`\n### ${heading}\n(.*?)\n### `, 's').exec(runbook) ?? []
  return Array.from(section.matchAll(/^- \*\*(.*?)\*\*/gm), ([, text = '']) => quotedIn(text)).flat()
}
const reasons = headsIn('Indexer faults')
const used = new Set<string>()

test.each([
  ...Object.entries(troubles).map((trouble) => [...trouble, node.url] as const),
  ['stopped on the chain before a hard fork, short of its end', indexerServer(chain, { behind: 30 }), upgradedNode.url],
] as const)('the runbook knows what the log says of an indexer that %s', async (_trouble, indexer, nodeUrl) => {
  const lines = await linesBeside(indexer, nodeUrl)
  const unknown = lines.flatMap(({ note = '', isIndexerFault, missingFields }) => {
    const reason = reasons.find((text) => note.includes(text))
    if (reason !== undefined) used.add(reason)
    const isKnown = reason !== undefined && (isIndexerFault === true || missingFields !== undefined)
    return isKnown ? [] : [note]
  })
  expect(unknown).toEqual([])
  expect(lines.filter(({ isIndexerFault }) => isIndexerFault).length).toBeGreaterThanOrEqual(3)
  expect(lines.filter(({ missingFields }) => missingFields !== undefined).length).toBeGreaterThan(0)
})

const shared = new URL('../../shared/', import.meta.url)

/** The reasons for which an answer is not given now, as the code of `shared/` has them; … stands for what it fills in. */
const reasonsInCode = readdirSync(shared, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const source = readFileSync(new URL(file, shared), 'utf8')
    const texts = source.matchAll(/(?:Busy\(\s*|'busy',\s*|\breason: )(['"`])(.+?)\1/g)
    return Array.from(texts, ([, , text = '']) => ({ file, reason: text.replace(/\$\{.*?\}+/g, '…') }))
  })
  // Where something else is named before the reason itself.
  .filter(({ reason }) => !/^(?:…|\w+)?(?:: …)?$/.test(reason))

test('every reason in the code for which an answer is not given now has its bullet in the runbook', () => {
  const heads = [...headsIn('Failing requests'), ...headsIn('Unknown broadcasts'), ...reasons]
  const unknown = reasonsInCode.filter(({ reason }) => {
    const found = heads.filter((head) => reason.includes(head))
    for (const head of found) used.add(head)
    return found.length === 0
  })
  expect(reasonsInCode.length).toBeGreaterThan(50)
  expect(unknown).toEqual([])
})

test('every such word of the runbook is one of the log', () => {
  expect(reasons.filter((text) => !used.has(text))).toEqual([])
})
