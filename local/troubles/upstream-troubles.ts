// Explains why an upstream does not answer, and distinguishes a proxy from the node behind it. Printed by npm start and the doctor.
import { WireError, type WireFault } from '../../shared/upstream/errors.ts'
import { frontierError, isUnknownName } from '../../shared/upstream/node-errors.ts'
import { lacksNames, networkCheck, rustNode } from '../../shared/upstream/node-query.ts'
import type { Operation } from '../../shared/upstream/operation.ts'
import type { CallLimits, QueryUpstream, Reply } from '../../shared/upstream/query.ts'

/** The signs of a failed call. */
export interface FailureSigns {
  /** The reason in the words of the upstream or of Node, which are not trusted. */
  readonly reason: string
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined
  /** The codes of the errors with which a connection failed. */
  readonly codes: readonly string[]
  /** The messages of a GraphQL answer. */
  readonly errors: readonly string[]
  readonly fault: WireFault
  /** True if the body was a GraphQL answer, whatever its status. */
  readonly isGraphQl: boolean
  /** True if the upstream, or a gateway in front of it, rejected the question because it lacks a name. */
  readonly lacksName: boolean
  /** True if it also rejects the network check this way, which only a Rust node does. */
  readonly isRust: boolean
}

/** The names of an upstream and of its settings, as the reader of a remedy knows them. */
export interface Names {
  readonly upstream: Operation['upstream']
  readonly address: string
  readonly key: string
  /** True if a key, or another header, is sent; undefined where that is not known. */
  readonly hasKey?: boolean | undefined
  /** The variable of a proxy that would be used for the upstream if Node were told to. */
  readonly ignoredProxy?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** True for a host that the variable leaves to no proxy: `*`, a name, or a domain with all its names. */
const isWithoutProxy = (host: string, listed: string): boolean =>
  listed
    .split(/[\s,]+/)
    .map((each) => each.replace(/^\*?\./, '').replace(/:\d+$/, ''))
    .some((each) => each === '*' || (each !== '' && (host === each || host.endsWith(`.${each}`))))

/** The variable that names a proxy for an address, where Node does not look at it; undefined where there is none. */
export function ignoredProxyOf(address: string, env: Environment): string | undefined {
  if (env.NODE_USE_ENV_PROXY === '1' || /--use-env-proxy\b/.test(env.NODE_OPTIONS ?? '')) return undefined
  const { protocol, hostname } = new URL(address)
  if (/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) return undefined
  if (isWithoutProxy(hostname, env.no_proxy || env.NO_PROXY || '')) return undefined
  const name = `${protocol.slice(0, -1)}_proxy`
  return [name.toUpperCase(), name].find((variable) => env[variable])
}

interface Trouble {
  is(seen: FailureSigns): boolean
  /** Continues `The node …`. */
  says(names: Names): string
  /** One or more whole sentences, the last without its full stop. */
  remedy(names: Names): string
}

const codesOf = (error: unknown): readonly string[] => {
  if (typeof error !== 'object' || error === null) return []
  const { code, errors, cause }: { code?: unknown; errors?: unknown; cause?: unknown } = error
  const inner = [...(Array.isArray(errors) ? errors : []), cause].flatMap(codesOf)
  return typeof code === 'string' ? [code, ...inner] : inner
}

const someCode =
  (pattern: RegExp): Trouble['is'] =>
  ({ codes }) =>
    codes.some((code) => pattern.test(code))

const withStatus =
  (...statuses: readonly number[]): Trouble['is'] =>
  ({ status }) =>
    status !== undefined && statuses.includes(status)

const someError =
  (pattern: RegExp): Trouble['is'] =>
  ({ errors }) =>
    errors.some((message) => pattern.test(message))

const saysBootstrapping = (errors: readonly string[]): boolean =>
  errors.some((message) => frontierError(message) === 'bootstrapping')

/** The usual places of a daemon's and an indexer's GraphQL. */
const usualPlace = { node: 'A daemon has GraphQL at port 3085, path /graphql', indexer: 'Its path is usually /graphql' }

/** The page that says what our questions need of a gateway. */
export const needsPage = 'docs/upstreams.md'

const limitWords =
  /too deep|too complex|complexity|\bdepth\b|\bnesting\b|\b(?:cost|token|alias(?:es)?) limit\b|more tha[nt] [\d,]+ \S* ?tokens|too many (?:fields|aliases|tokens|selections)/i

/** Tried in this order: the first that fits is reported. */
const troubles = {
  redirect: {
    is: ({ status }) => status !== undefined && status >= 300 && status < 400,
    says: () => 'redirects, which is not followed',
    remedy: ({ address }) =>
      `Put the address that it names into ${address}. If that is a page to log in, it needs a key`,
  },
  unknownHost: {
    is: someCode(/^(?:ENOTFOUND|EAI_\w+)$/),
    says: () => 'has a host name that is not known here',
    remedy: ({ address }) => `Correct ${address}. A private name is known inside its network only`,
  },
  noRoute: {
    // If a name has several addresses, the error of one that was reached tells more.
    is: ({ codes }) =>
      codes.length > 0 && codes.every((code) => /^(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL)$/.test(code)),
    says: () => 'is in a network to which this machine has no way',
    remedy: () =>
      'Look at routes, VPN and IPv6: a function outside a VPC reaches neither private addresses nor IPv6 alone',
  },
  refused: {
    is: someCode(/^ECONNREFUSED$/),
    says: () => 'refuses connections: nothing listens at its port',
    remedy: ({ upstream, address }) => `Start it, or correct ${address}. ${usualPlace[upstream]}`,
  },
  expired: {
    is: someCode(/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/),
    says: () => 'has a TLS certificate that is not valid today',
    remedy: () => 'Renew its certificate, or correct the clock of this machine',
  },
  otherName: {
    is: someCode(/^ERR_TLS_CERT_ALTNAME/),
    says: () => 'has a TLS certificate for another name',
    remedy: ({ address }) => `Put a name that its certificate has into ${address}, or add this one to the certificate`,
  },
  unknownAuthority: {
    is: someCode(/^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|INVALID_CA|ERR_TLS_CERT)/),
    says: () => 'has a TLS certificate that Node does not trust',
    remedy: () =>
      'Let its server send the intermediate certificates too. For an authority of yours, start with NODE_EXTRA_CA_CERTS=ca.pem; deployed functions trust public authorities only',
  },
  noTls: {
    is: someCode(/^(?:EPROTO|ERR_TLS_|ERR_SSL_)/),
    says: () => 'does not speak TLS as Node does',
    remedy: ({ address }) =>
      `Write http:// in ${address} if its port has no TLS. Otherwise look which host names and TLS versions its server takes`,
  },
  noHttp: {
    is: someCode(/^HPE_/),
    says: () => 'answers something else than HTTP',
    remedy: ({ upstream, address }) => `Correct the port in ${address}. ${usualPlace[upstream]}`,
  },
  silent: {
    is: (seen) => seen.fault === 'timeout' || withStatus(408)(seen) || someCode(/^ETIMEDOUT$/)(seen),
    says: () => 'does not answer in time',
    remedy: ({ address }) =>
      `Check ${address}, its load and the network between, where a firewall or a security group may drop requests, or raise its time-out`,
  },
  cut: {
    is: ({ fault }) => fault === 'unreachable',
    says: () => 'closes the connection without an answer',
    remedy: ({ address }) => `Look at its log, and write https:// in ${address} if its port expects TLS`,
  },
  key: {
    is: withStatus(401),
    says: ({ hasKey }) => (hasKey === true ? 'refuses the key' : 'wants a key'),
    remedy: ({ upstream, key, hasKey }) =>
      hasKey === true ? `Correct ${key}: its text is not the key that the ${upstream} takes` : `Set ${key}`,
  },
  forbidden: {
    is: withStatus(403),
    says: ({ hasKey }) =>
      hasKey === true ? 'refuses the key, or this address' : 'refuses this address, or wants a key; none is set',
    remedy: ({ key }) => `Look at the allow list and the firewall in front of it, or set ${key}`,
  },
  limit: {
    is: someError(limitWords),
    says: () => 'refuses our questions as too deep or too complex',
    remedy: () => `Raise the limits of the gateway in front of it: ${needsPage} says what our questions need`,
  },
  size: {
    is: withStatus(413, 414, 431),
    says: () => 'refuses our questions for their size',
    remedy: () => `Raise the limit of what stands in front of it: ${needsPage} says what our questions need`,
  },
  rust: {
    is: (seen) => seen.isRust,
    says: () => `is ${rustNode.is}`,
    remedy: () => rustNode.remedy,
  },
  unknownName: {
    is: (seen) => seen.lacksName,
    says: ({ upstream }) =>
      upstream === 'node'
        ? 'cannot answer the question: it, or a gateway in front of it, does not have a name that is asked for'
        : 'does not have a field that is asked for',
    remedy: ({ upstream }) =>
      upstream === 'node'
        ? 'Use a daemon of a supported version, or give the gateway its whole schema'
        : 'Use an indexer of a supported version',
  },
  bootstrapping: {
    is: ({ errors, fault, status }) => saysBootstrapping(errors) || (fault === 'busy' && (status ?? 200) === 200),
    says: () => 'is bootstrapping and has no blocks yet',
    remedy: () => 'Wait until it is synced, some ten minutes after its start',
  },
  load: {
    is: withStatus(429),
    says: () => 'is there, and refuses requests for their number',
    remedy: () => 'Try again later, or let its operator raise the limit',
  },
  unavailable: {
    is: withStatus(503),
    says: ({ upstream }) =>
      `is not available: a proxy finds no ${upstream} behind it that is up, or it refuses requests for its load`,
    remedy: ({ upstream }) => `Look whether the ${upstream} behind the proxy runs. If it does, try again later`,
  },
  proxy: {
    is: withStatus(502, 504, 520, 521, 522, 523, 524, 525, 526, 530),
    says: () => 'is not reached by the proxy in front of it',
    remedy: ({ upstream }) => `Start the ${upstream} behind the proxy, or correct where the proxy looks for it`,
  },
  gateway: {
    is: ({ status, errors }) => status !== undefined && status >= 400 && errors.length > 0,
    says: ({ upstream }) => `has a gateway that refuses the question in its own words, not the ${upstream}'s`,
    remedy: () => 'Let the gateway pass our questions on, or go past it',
  },
  error: {
    is: ({ errors }) => errors.length > 0,
    says: () => 'answers with an error',
    remedy: ({ upstream }) => `Look at its words, its log, and whether this version of the ${upstream} is supported`,
  },
  noEndpoint: {
    is: withStatus(404, 405, 410),
    says: () => 'has no GraphQL at this path',
    remedy: ({ upstream, address }) => `Correct the path in ${address}. ${usualPlace[upstream]}`,
  },
  badRequest: {
    is: ({ status, isGraphQl }) => status === 400 && !isGraphQl,
    says: () => 'refuses the request as bad HTTP',
    remedy: ({ address }) =>
      `Write https:// in ${address} if its port expects TLS. Otherwise look at the proxy in front of it`,
  },
  broken: {
    is: ({ status }) => status !== undefined && status >= 500,
    says: () => 'fails',
    remedy: () => 'Look at its log',
  },
  mismatched: {
    is: ({ fault }) => fault === 'mismatched',
    says: () => 'answers another question than the one asked',
    remedy: () => 'Look for a cache or a proxy in front of it that mixes up answers',
  },
  shape: {
    is: ({ isGraphQl }) => isGraphQl,
    says: () => 'answers in another shape than the one that was asked for',
    remedy: ({ upstream }) => `Use a ${upstream} of a supported version`,
  },
  foreign: {
    is: () => true,
    says: ({ upstream }) =>
      upstream === 'node' ? 'does not answer as a Mina daemon' : 'does not answer as an indexer',
    remedy: ({ upstream, address }) => `Correct ${address}. ${usualPlace[upstream]}`,
  },
} as const satisfies Readonly<Record<string, Trouble>>

export type TroubleName = keyof typeof troubles

const all = Object.entries(troubles) as readonly (readonly [TroubleName, Trouble])[]

/**
 * Collects the signs of a failed call.
 *
 * @param error with which the call, or the reading of its reply, failed
 * @param reply where one came
 * @param isRust see `Seen`
 */
export function seenIn(error: WireError, reply?: Reply, isRust = false): FailureSigns {
  const { fault, message: reason } = error
  return {
    reason,
    status: reply?.status ?? error.status,
    codes: codesOf(error.cause),
    errors: reply?.errors ?? [],
    fault,
    isGraphQl: reply !== undefined && (reply.data !== undefined || reply.errors.length > 0),
    lacksName: reply !== undefined && (reply.data ?? null) === null && reply.errors.some(isUnknownName),
    isRust,
  }
}

/** True if a node does not have the fields that every daemon has: a Rust node. */
export async function isRustNode(query: QueryUpstream, limits?: CallLimits): Promise<boolean> {
  try {
    return lacksNames(await query(networkCheck, {}, limits))
  } catch (error) {
    if (error instanceof WireError) return false
    throw error
  }
}

/** The trouble behind what came. */
export const troubleOf = (seen: FailureSigns): TroubleName =>
  all.find(([, trouble]) => trouble.is(seen))?.[0] ?? 'foreign'

/** Troubles that a network has which lets nobody out but its proxy. */
const ofTheWay: readonly TroubleName[] = ['unknownHost', 'noRoute', 'refused', 'silent', 'cut']

/** The fault, as it continues `The node …`, and the remedy in sentences, the last without its full stop. */
export function wordsOf(name: TroubleName, names: Names): { readonly says: string; readonly remedy: string } {
  const trouble: Trouble = troubles[name]
  const { ignoredProxy } = names
  const byProxy =
    ignoredProxy !== undefined && ofTheWay.includes(name)
      ? `. The proxy of ${ignoredProxy} is not used: that takes NODE_USE_ENV_PROXY=1`
      : ''
  return { says: trouble.says(names), remedy: trouble.remedy(names) + byProxy }
}
