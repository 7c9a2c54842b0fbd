// Settings of a running function. The only reader of its environment, whose variables shared/deployment/variables.ts lists.
import { hasForm, stateHashForm } from '../../../shared/contract/forms.ts'
import { chainIdForm, chainIdsWanted, maxPins } from '../../../shared/deployment/pins.ts'
import { defaultSwitches } from '../../../shared/deployment/settings.ts'
import type { Environment } from '../../../shared/deployment/variables.ts'
import { type Extension, extensionUrl } from '../upstreams/credential.ts'
import {
  type IndexerSettings,
  Mistakes,
  type NodeSettings,
  readIndexers,
  readNodes,
  readSwitch,
  readUrl,
} from './upstream-settings.ts'

export interface Settings extends NodeSettings, IndexerSettings {
  /** Pins the network: the state hashes of its genesis blocks, in the order of time; absent without a pin. */
  readonly genesisStateHashes?: readonly string[]
  /** The chain ids of the pinned networks, in the same order; absent where none are pinned. */
  readonly chainIds?: readonly string[]
  /** Present where the `payload` of a broadcast is read as leniently as `data`. */
  readonly lenientPayload?: true
  /** Where keys are read from; only on Lambda. */
  readonly extension?: Extension
  /** Values of the header that CloudFront sends; absent without CloudFront. */
  readonly originSecrets?: readonly string[]
}

/** On Lambda only CloudFront may call the functions. */
const isOnLambda = (env: Environment): boolean => (env.AWS_LAMBDA_FUNCTION_NAME ?? '') !== ''

/** The stack's name, used as the `Service` dimension of every metric. Undefined on a laptop, which then emits none. */
export const readServiceName = (env: Environment = process.env): string | undefined => env.SERVICE_NAME || undefined

/** Whether each route has metrics of its own; it has, unless the stack says otherwise. */
export const readRouteMetrics = (env: Environment = process.env): boolean => env.ROUTE_METRICS !== 'false'

/** The deployed release, as `<version>+<commit>`; undefined on a laptop. */
export const readRelease = (env: Environment = process.env): string | undefined => env.RELEASE || undefined

/**
 * The values that open the origin lock: more than one while the secret is being changed.
 *
 * @param text of the variable `ORIGIN_SECRETS`, separated by commas
 */
export const originSecretsOf = (text = ''): readonly string[] => text.split(',').filter((secret) => secret !== '')

function readOriginSecrets(env: Environment, mistakes: Mistakes): { originSecrets?: readonly string[] } {
  const originSecrets = originSecretsOf(env.ORIGIN_SECRETS)
  if (originSecrets.length > 0) return { originSecrets }
  if (isOnLambda(env)) mistakes.add('ORIGIN_SECRETS', undefined, 'the texts that CloudFront sends, separated by commas')
  return {}
}

/** The networks that a deployment is pinned to, by their genesis blocks; the checksums were checked before. */
function readPins(value: string | undefined, mistakes: Mistakes): { genesisStateHashes?: readonly string[] } {
  if (value === undefined || value === '') return {}
  const pins = value.split(',').map((pin) => pin.trim())
  const isWanted = pins.length <= maxPins && new Set(pins).size === pins.length
  if (isWanted && pins.every((pin) => hasForm(pin, stateHashForm))) return { genesisStateHashes: pins }
  mistakes.add(
    'GENESIS_STATE_HASH',
    JSON.stringify(value),
    `the state hash of a genesis block: '3N' and 50 characters; of several, ${maxPins} at most, separated by commas, each once, the oldest first`,
  )
  return {}
}

/** The chain ids of the pinned networks. Only genesis blocks beside them say whose they are. */
function readChainIds(
  value: string | undefined,
  pins: readonly string[] | undefined,
  mistakes: Mistakes,
): { chainIds?: readonly string[] } {
  if (value === undefined || value === '') return {}
  const chainIds = value.split(',').map((chainId) => chainId.trim())
  const wanted = !chainIds.every((chainId) => chainIdForm.test(chainId))
    ? 'the chain ids of the networks in GENESIS_STATE_HASH, in the same order: 64 hexadecimal digits each, separated by commas'
    : pins === undefined
      ? 'GENESIS_STATE_HASH beside it'
      : chainIdsWanted(pins, chainIds)
  if (wanted === undefined) return { chainIds }
  mistakes.add('CHAIN_ID', JSON.stringify(value), wanted)
  return {}
}

/**
 * Reads and checks every setting.
 *
 * @throws Error naming each wrong variable, what it holds (never a secret) and what it should hold
 */
export function readSettings(env: Environment = process.env): Settings {
  const mistakes = new Mistakes()
  const pins = readPins(env.GENESIS_STATE_HASH, mistakes)
  // Chain ids are not judged beside wrong genesis blocks.
  const arePinsWrong = mistakes.lines.length > 0
  const settings: Settings = {
    ...readNodes(env, mistakes),
    ...pins,
    ...(!arePinsWrong && readChainIds(env.CHAIN_ID, pins.genesisStateHashes, mistakes)),
    ...readIndexers(env, mistakes),
    ...(readSwitch(env, 'LENIENT_PAYLOAD', defaultSwitches.lenientPayload, mistakes) && { lenientPayload: true }),
    ...(env.AWS_SESSION_TOKEN && { extension: { url: extensionUrl, token: env.AWS_SESSION_TOKEN } }),
    ...readOriginSecrets(env, mistakes),
  }
  if (mistakes.lines.length > 0) throw new Error(`Settings are wrong.\n${mistakes.lines.join('\n')}`)
  return settings
}

/**
 * Values of the header that CloudFront sends, for a function that asks no upstream; undefined without CloudFront.
 *
 * @throws Error on Lambda, where there must be one
 */
export function readOriginLock(env: Environment = process.env): readonly string[] | undefined {
  const mistakes = new Mistakes()
  const { originSecrets } = readOriginSecrets(env, mistakes)
  if (mistakes.lines.length > 0) throw new Error(mistakes.lines.join('\n'))
  return originSecrets
}

/** Where the heartbeat of broadcasts posts, and which network's payment. */
interface HeartbeatSettings {
  /** Of POST /broadcast/transaction. */
  readonly url: string
  readonly network: 'mainnet' | 'devnet'
}

/** @throws Error naming each wrong variable */
export function readHeartbeat(env: Environment = process.env): HeartbeatSettings {
  const mistakes = new Mistakes()
  const url = readUrl(env.BROADCAST_ADDRESS, 'BROADCAST_ADDRESS', mistakes)
  const network = env.NETWORK
  const isKnown = network === 'mainnet' || network === 'devnet'
  if (!isKnown) mistakes.add('NETWORK', network && JSON.stringify(network), 'mainnet or devnet')
  if (!isKnown || mistakes.lines.length > 0) throw new Error(mistakes.lines.join('\n'))
  return { url, network }
}
