// The only reader of a function's environment, whose variables shared/deployment/stage-settings.ts lists.
import { chainIdForm, chainIdsWanted } from '../../../shared/deployment/pins.ts'
import {
  type EndpointSettings,
  type Environment,
  endpointSettingsIn,
} from '../../../shared/deployment/stage-settings.ts'
import { type Extension, extensionUrl } from '../upstreams/credential.ts'
import { Mistakes, readUrl, readValues, type StageValues } from './stage-values.ts'
import { type IndexerSettings, indexersFrom, type NodeSettings, nodesFrom } from './upstream-settings.ts'

/** All that a chain is made from. */
export interface ChainSettings extends NodeSettings, IndexerSettings {
  /** Pins the network: the state hashes of its genesis blocks, the oldest first; absent without a pin. */
  readonly genesisStateHashes?: readonly string[]
  /** The chain ids of the pinned networks, in the same order; absent if none are pinned. */
  readonly chainIds?: readonly string[]
  /** Where keys are read from; only on Lambda. */
  readonly extension?: Extension
}

export interface Settings extends ChainSettings {
  /** The settings that endpoints read themselves. */
  readonly ofEndpoints: EndpointSettings
  /** Values of the header that CloudFront sends; absent without CloudFront. */
  readonly originSecrets?: readonly string[]
}

/** On Lambda only CloudFront may call the functions. */
const isOnLambda = (env: Environment): boolean => (env.AWS_LAMBDA_FUNCTION_NAME ?? '') !== ''

/** The stack's name, used as the `Service` dimension of every metric. Undefined on a laptop, which then emits none. */
export const readServiceName = (env: Environment = process.env): string | undefined => env.SERVICE_NAME || undefined

/** True if each route has separate metrics, as it has by default. */
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

/** The networks that a deployment is pinned to. Chain ids are not checked if the genesis blocks are wrong. */
function pinsFrom(
  { genesisStateHash, chainId }: StageValues,
  env: Environment,
  mistakes: Mistakes,
): Pick<Settings, 'genesisStateHashes' | 'chainIds'> {
  const arePinsWrong = genesisStateHash === null && Boolean(env.GENESIS_STATE_HASH)
  if (chainId !== null && !arePinsWrong) {
    const wanted = !chainId.every((each) => chainIdForm.test(each))
      ? 'the chain ids of the networks in GENESIS_STATE_HASH, in the same order: 64 hexadecimal digits each, separated by commas'
      : genesisStateHash === null
        ? 'GENESIS_STATE_HASH beside it'
        : chainIdsWanted(genesisStateHash, chainId)
    if (wanted !== undefined) mistakes.add('CHAIN_ID', JSON.stringify(env.CHAIN_ID), wanted)
  }
  return {
    ...(genesisStateHash !== null && { genesisStateHashes: genesisStateHash }),
    ...(chainId !== null && { chainIds: chainId }),
  }
}

/**
 * Reads and checks every setting.
 *
 * @throws Error naming each wrong variable, what it holds (never a secret) and what it should hold
 */
export function readSettings(env: Environment = process.env): Settings {
  const mistakes = new Mistakes()
  const values = readValues(env, mistakes)
  const settings: Settings = {
    ...nodesFrom(values, mistakes),
    ...pinsFrom(values, env, mistakes),
    ...indexersFrom(values, mistakes),
    ofEndpoints: endpointSettingsIn(values),
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

/** The address to which the heartbeat of broadcasts posts, and the network of its payment. */
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
