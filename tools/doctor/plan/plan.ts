// Reads what to examine from the command line, a stage file and the environment.
import { parseArgs } from 'node:util'
import { secretsOf } from '../../../functions/runtime/redaction.ts'
import { type ChainSettings, readSettings } from '../../../functions/runtime/settings/settings.ts'
import { chainIdForm } from '../../../shared/deployment/pins.ts'
import { stageRows } from '../../../shared/deployment/stage-settings.ts'
import type { Expected } from '../upstreams/node-checks.ts'
import { headersText, type UnreadKey } from './header-options.ts'
import { readStage, type Stage } from './stage-file.ts'

export const usage = `npm run doctor -- --stage X [--url https://…]
  node and indexer of the stage file config/X.ts, and with --url a live deployment of this service;
  the file itself is checked by npm run synth -- -c stage=X
npm run doctor -- --node URL [--indexer URL] [--network mainnet|devnet] [--chain-id HEX] [--url https://…]
  the same without a stage file, or in place of single settings of one
npm run doctor -- --url http://127.0.0.1:8080
  a live service without its upstreams
npm run doctor
  node and indexer of the variables NODES or NODE_GRAPHQL_URL, and INDEXER_GRAPHQL_URL, as npm start reads them
Keys: --header "x-api-key: file://$HOME/key" and --indexer-header with the path of a file that holds the text, so that
no key is in the shell's history; or UPSTREAM_HEADERS and INDEXER_HEADERS, as for npm start. They are never printed.
Several nodes that each have a key are compared if the variable EXPLORER_NODES lists them, in place of the stage's own:
EXPLORER_NODES='[{"graphqlUrl":"https://…","headers":{"x-api-key":"'"$(cat ~/key-1)"'"}}, …]' npm run doctor -- --stage X`

export interface Plan {
  /** Of the upstreams; absent where only a deployment is examined. */
  readonly settings?: ChainSettings
  readonly expected: Expected
  /** Base address of the deployment, without a slash at its end. */
  readonly url?: string
  readonly unreadKeys: readonly UnreadKey[]
  /** Texts that must not be printed. */
  readonly secrets: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const

/** Missing or unknown options; the usage is printed with the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const options = {
  stage: text,
  node: text,
  indexer: text,
  network: text,
  'chain-id': text,
  header: texts,
  'indexer-header': texts,
  url: text,
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(String(error).replace(/^\w+ \[\w+\]: /, ''))
  }
}

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search) {
    throw new Error('--url: wanted a base address such as https://explorer.example or http://127.0.0.1:8080')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function readExpected(network: string | undefined, chainId: string | undefined): Expected {
  if (network !== undefined && network !== 'mainnet' && network !== 'devnet') {
    throw new Error(`--network or network: wanted mainnet or devnet, got ${JSON.stringify(network)}`)
  }
  const chainIds = chainId?.split(',').map((one) => one.trim())
  if (chainIds !== undefined && !chainIds.every((one) => chainIdForm.test(one))) {
    throw new Error(`--chain-id, chainId or CHAIN_ID: wanted 64 hexadecimal digits, got ${JSON.stringify(chainId)}`)
  }
  return { ...(network !== undefined && { network }), ...(chainIds !== undefined && { chainIds }) }
}

/** A setting as the command line and the stage file call it. Headers may be a variable's. */
function nameOf([name, { variable, kind }]: (typeof stageRows)[number]): string {
  if (kind === 'nodeAddress') return `--node or ${name}`
  if (kind === 'indexerAddresses') return `--indexer or ${name}`
  return kind === 'headers' ? variable : name
}

/** A list in a stage file as it stands in a variable. */
const listText = (text: string | undefined): string | undefined =>
  text?.startsWith('[') ? (JSON.parse(text) as readonly unknown[]).join() : text

/** Reads the upstreams' settings by the service's own rules. */
function readUpstreams(environment: Environment): ChainSettings {
  try {
    const { ofEndpoints: _, ...upstreams } = readSettings(environment)
    return upstreams
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(
      stageRows.reduce(
        (text, row) => text.replace(new RegExp(`^${row[1].variable}:`, 'm'), `${nameOf(row)}:`),
        error.message,
      ),
    )
  }
}

/** The variables of a stage without its keys, which only AWS can read. Its chain ids are compared, not used. */
const variablesOf = (stage: Stage): Environment =>
  Object.fromEntries(
    stageRows
      .filter(([name, { kind }]) => kind !== 'credential' && name !== 'chainId')
      .map(([name, { variable, kind }]) => {
        const isList = kind === 'genesisBlocks' || kind === 'indexerAddresses'
        return [variable, isList ? listText(stage[name]) : stage[name]]
      }),
  )

/** What `npm start` reads too, apart from the headers, which options may name. An empty variable is none. */
const laptopVariables = ({
  NODES,
  NODE_GRAPHQL_URL,
  INDEXER_GRAPHQL_URL,
  GENESIS_STATE_HASH,
}: Environment): Environment =>
  Object.fromEntries(
    Object.entries({ NODES, NODE_GRAPHQL_URL, INDEXER_GRAPHQL_URL, GENESIS_STATE_HASH }).filter(([, text]) => text),
  )

function unreadKeysOf(stage: Stage, settings: ChainSettings): readonly UnreadKey[] {
  const ofNodes = (settings.nodes ?? []).flatMap(({ name, credential }) => {
    if (credential === undefined) return []
    const { header, secret, parameter } = credential
    const keptIn = `${secret === undefined ? `parameter ${parameter}` : `secret ${secret}`} for ${name}`
    return [{ upstream: 'node' as const, header, keptIn, isListed: true }]
  })
  const ofOne = (['node', 'indexer'] as const).flatMap((upstream) => {
    const header = stage[`${upstream}Credential.header`]
    const secret = stage[`${upstream}Credential.secret`]
    const keptIn = secret === undefined ? `parameter ${stage[`${upstream}Credential.parameter`]}` : `secret ${secret}`
    const headers = (upstream === 'node' ? settings.node : settings.indexers[0])?.headers
    const isUnread = header !== undefined && headers !== undefined && !Object.hasOwn(headers, header.toLowerCase())
    return isUnread ? [{ upstream, header, keptIn }] : []
  })
  return [...ofNodes, ...ofOne]
}

const secretsIn = ({ node, nodes = [], indexers }: ChainSettings): readonly string[] =>
  [node, ...nodes, ...indexers].flatMap(secretsOf)

/**
 * @param args after the script's name
 * @param configFolder of the stage files
 * @throws UsageError for missing or unknown options
 * @throws Error that names the unusable setting and the reason
 */
export async function readPlan(args: readonly string[], env: Environment, configFolder: string): Promise<Plan> {
  const given = readOptions(args)
  const stage: Stage = given.stage === undefined ? {} : await readStage(given.stage, configFolder, env)
  const url = readUrl(given.url)
  const deployment = url === undefined ? {} : { url }
  const isByVariables = given.stage === undefined && given.node === undefined && url === undefined
  const laptop = isByVariables ? laptopVariables(env) : {}
  // Compared, not used: a node of another chain is examined all the same.
  const chainId = isByVariables ? env.CHAIN_ID || undefined : listText(stage.chainId)
  const expected = readExpected(given.network ?? stage.network, given['chain-id'] ?? chainId)
  const isLaptop = (laptop.NODES ?? laptop.NODE_GRAPHQL_URL) !== undefined
  if (given.stage === undefined && given.node === undefined && !isLaptop) {
    if (given.indexer !== undefined) throw new UsageError('--indexer: pass --node, too: the doctor compares the two')
    if (url === undefined)
      throw new UsageError('Nothing to examine: pass --stage, --node or --url, or set NODES or NODE_GRAPHQL_URL')
    return { expected, ...deployment, unreadKeys: [], secrets: [] }
  }
  if (given.node === undefined && (stage.nodes ?? laptop.NODES) !== undefined && given.header !== undefined) {
    const list = isLaptop ? 'NODES' : 'EXPLORER_NODES'
    throw new UsageError(
      `--header: there are several nodes; pass --node, too: the one that takes the key, or give all keys in ${list}`,
    )
  }
  const settings = readUpstreams({
    ...variablesOf(stage),
    ...laptop,
    ...(given.node !== undefined && { NODE_GRAPHQL_URL: given.node, NODES: undefined }),
    ...(given.indexer !== undefined && { INDEXER_GRAPHQL_URL: given.indexer }),
    UPSTREAM_HEADERS: headersText('node', given.header ?? [], env.UPSTREAM_HEADERS, stage.upstreamHeaders),
    INDEXER_HEADERS: headersText('indexer', given['indexer-header'] ?? [], env.INDEXER_HEADERS, stage.indexerHeaders),
  })
  const unreadKeys = unreadKeysOf(stage, settings)
  return { settings, expected, ...deployment, unreadKeys, secrets: secretsIn(settings) }
}
