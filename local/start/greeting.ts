// The text that `npm start` prints: addresses, test wallets, and lines to paste.
import type { NamedInBlock } from '../../shared/contract/parameters.ts'
import { namedIn } from '../chain/named.ts'
import { broadcastingLines, readingLines } from './curl-lines.ts'
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
  readonly stateHash: string
  readonly creator: string
  readonly transactions: { readonly userCommands: readonly { readonly hash: string }[] }
}

/** The newest block and command, read through the service; undefined while the node has no block. */
async function latest(url: string): Promise<Partial<NamedInBlock> | undefined> {
  const response = await fetch(`${url}/blocks?limit=10`)
  if (!response.ok) return undefined
  const { blocks }: { readonly blocks: readonly [Listed, ...Listed[]] } = JSON.parse(await response.text())
  const [command] = blocks.flatMap(({ transactions }) => transactions.userCommands)
  const [{ stateHash, creator }] = blocks
  return { stateHash, creator, ...(command && { transactionHash: command.hash }) }
}

/** For whoever writes a client. */
function flakyLines(rate: number): string[] {
  return [
    `The node loses, delays or breaks ${Math.round(rate * 100)} % of its answers, so expect 502s and 504s. Now and then it takes a`,
    'command and answers nothing about commands for half a minute: its outcome is `unknown` until you send it again.',
    '',
  ]
}

function chainGreeting({ url, chain, wallets, flaky }: Service & { chain: NonNullable<Service['chain']> }): string[] {
  const rows = wallets.map(({ name, publicKey, privateKey, note }) => [name, publicKey, privateKey, note])
  return [
    ...(flaky === undefined ? [] : flakyLines(flaky)),
    `Test wallets: sign for the network \`${chain.network}\``,
    ...table([['name', 'public key', 'private key', 'note'], ...rows]),
    '',
    `Lines to paste (the node holds the last ${chain.frontierBlocks} blocks; a signed line works until its wallet sends)`,
    ...readingLines(url, { ...namedIn(chain), creator: wallets[0]?.publicKey ?? '' }),
    ...broadcastingLines(url, chain),
  ]
}

async function otherNodeGreeting({ url }: Service): Promise<string[]> {
  const block = await latest(url)
  return [
    block === undefined ? 'Lines to paste (the node has no block yet)' : 'Lines to paste',
    ...readingLines(url, block),
  ]
}

/** The text for the terminal. In front of another node it reads that node's newest block through the service. */
export async function greeting(service: Service): Promise<string> {
  const { url, nodeUrl, nodeCount, indexerUrl, chain } = service
  const about = chain
    ? `embedded chain, a new block every ${chain.slotDurationMs / 1000} s`
    : nodeCount === 1
      ? 'your node, from NODE_GRAPHQL_URL'
      : `the first of your ${nodeCount} nodes`
  const addresses = table([
    ['REST service', url, 'HOST=0.0.0.0 opens it to other machines, PORT=… changes the port'],
    ['Docs page', `${url}/docs`, 'every request and answer, to read and to try'],
    ['Node GraphQL', withoutSecrets(nodeUrl), about],
    ...(indexerUrl === undefined ? [] : [['Indexer GraphQL', withoutSecrets(indexerUrl), '']]),
  ])
  const rest = chain ? chainGreeting({ ...service, chain }) : await otherNodeGreeting(service)
  return [...addresses, '', ...rest, '', 'Ctrl-C stops it.'].join('\n')
}
