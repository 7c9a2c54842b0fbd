// The text that `npm start` prints: addresses, test wallets, and lines to paste.

import type { Chain } from '../../packages/testnet/chain.ts'
import { fates, parametersText } from '../../packages/testnet/fates.ts'
import { forkSteps } from '../../packages/testnet/fork-day.ts'
import { namedIn } from '../../packages/testnet/named.ts'
import type { NamedInBlock } from '../../shared/contract/parameters.ts'
import { broadcastingLines, readingLines, type Shell, shellOf, variableLines } from './curl-lines.ts'
import { lookAtNodes, maxWaitMs, type NodesFound } from './node-troubles.ts'
import type { Service } from './service.ts'

/** Columns padded to their widest cell. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Scheme, host and path only, because the rest of a node's address may be secret. */
function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

interface Listed {
  readonly blockHeight: number
  readonly stateHash: string
  readonly creator: string
  readonly transactions: { readonly userCommands: readonly { readonly hash: string }[] }
}

/** The newest block and command, read through the service; undefined where it has none in time. */
async function latest(url: string): Promise<Partial<NamedInBlock> | undefined> {
  try {
    const response = await fetch(`${url}/blocks?limit=10`, { signal: AbortSignal.timeout(maxWaitMs) })
    const { blocks }: { readonly blocks: readonly [Listed, ...Listed[]] } = JSON.parse(await response.text())
    const [command] = blocks.flatMap(({ transactions }) => transactions.userCommands)
    const [{ stateHash, creator, blockHeight }] = blocks
    return { stateHash, creator, blockHeight, ...(command && { transactionHash: command.hash }) }
  } catch {
    return undefined
  }
}

/** Parameters, and which fates take them. */
function parameterLines(): string[] {
  const byParameters = Map.groupBy(Object.entries(fates), ([, fate]) => parametersText(fate))
  byParameters.delete('')
  return table([...byParameters].map(([parameters, taking]) => [parameters, taking.map(([name]) => name).join(', ')]))
}

/** For whoever follows a command. */
const fateLines = ({ curl, set, variable }: Shell, controlUrl: string): string[] => [
  'What can become of a command. Each line lets it happen to a new one, and names',
  'where to see it. Some take parameters, such as ?hash=5J… for one of your own:',
  ...parameterLines(),
  set('chain', controlUrl),
  ...Object.keys(fates).map((name) => `${curl} -X POST ${variable('chain')}/${name}`),
  '',
  'A hard fork, step by step: commands stop, blocks stop, a new chain begins, the',
  'indexer follows it. fork alone plays the day in three blocks.',
  ...Object.keys(forkSteps).map((name) => `${curl} -X POST ${variable('chain')}/${name}`),
]

/** For whoever writes a client. */
function flakyLines(rate: number): string[] {
  return [
    `The node loses, delays or breaks ${Math.round(rate * 100)} % of its answers, so expect 502s and 504s. Now and then it takes a`,
    'command and answers nothing about commands for half a minute: its outcome is `unknown` until you send it again.',
    '',
  ]
}

function chainGreeting(shell: Shell, service: Service & { chain: Chain }): string[] {
  const { url, chain, controlUrl, wallets, flaky } = service
  const named = { ...namedIn(chain), creator: wallets[0]?.publicKey ?? '' }
  const rows = wallets.map(({ name, publicKey, privateKey, note }) => [name, publicKey, privateKey, note])
  return [
    ...(flaky === undefined ? [] : flakyLines(flaky)),
    `Test wallets: sign for the network \`${chain.network}\``,
    ...table([['name', 'public key', 'private key', 'note'], ...rows]),
    '',
    `Lines to paste (the first two set address and key for the others; the node holds the last ${chain.frontierBlocks} blocks)`,
    ...variableLines(shell, url, named),
    // First, so that pool and account have something to show.
    ...broadcastingLines(shell),
    ...readingLines(shell, named),
    '',
    ...fateLines(shell, controlUrl ?? ''),
  ]
}

async function otherNodeGreeting(
  shell: Shell,
  { url }: Service,
  { troubles, isUsable }: NodesFound,
): Promise<string[]> {
  if (!isUsable) return [...troubles, 'The service is up, and answers 502 or 503 until a node can be used.']
  const named = await latest(url)
  const variables = [
    'Lines to paste (the first ones set address and key for the others)',
    ...variableLines(shell, url, named),
  ]
  return [...troubles, ...variables, ...readingLines(shell, named)]
}

/**
 * The text for the terminal. In front of another node it reads that node's newest block through the service.
 *
 * @param platform as Node names it: its shell decides how lines are written
 */
export async function greeting(service: Service, platform: string = process.platform): Promise<string> {
  const shell = shellOf(platform)
  const { url, nodeUrl, settings, indexerUrl, chain, keptIn } = service
  const nodeCount = settings.nodes?.length ?? 1
  const found = chain ? undefined : await lookAtNodes(settings)
  const about = chain
    ? `embedded chain, a new block every ${chain.slotDurationMs / 1000} s; NODE_PORT=… names the port`
    : nodeCount === 1
      ? `your node, from ${settings.nodes === undefined ? 'NODE_GRAPHQL_URL' : 'NODES'}`
      : `the first of your ${nodeCount} nodes`
  const addresses = table([
    ['REST service', url, 'HOST=0.0.0.0 opens it to other machines, PORT=… changes the port'],
    ['Docs page', `${url}/docs`, 'every request and answer, to read and to try'],
    ['Node GraphQL', withoutSecrets(nodeUrl), about],
    ...(found?.network === undefined ? [] : [['Network', found.network, 'by the genesis block']]),
    ...(indexerUrl === undefined ? [] : [['Indexer GraphQL', withoutSecrets(indexerUrl), '']]),
    ...settings.indexers.slice(1).map(({ url: other }) => ['Another indexer', withoutSecrets(other), '']),
    ...(keptIn === undefined ? [] : [['Chain', keptIn, 'kept here: the next start with this KEEP goes on from it']]),
  ])
  const ofChain = chain && chainGreeting(shell, { ...service, chain })
  const rest = ofChain ?? (found ? await otherNodeGreeting(shell, service, found) : [])
  return [...addresses, '', ...rest, '', 'Ctrl-C stops it.'].join('\n')
}
