// Valid settings that are often a mistake.
import { retiredPin } from '../../shared/deployment/pins.ts'
import { upstreamAddresses } from './addresses.ts'
import type { Credential } from './credential.ts'
import type { StageSettings } from './schema.ts'

interface Warning {
  /** The setting to look at. */
  readonly at: string
  readonly text: string
}

/** Settings with which a stage cannot work. Each becomes a warning of the stack, and `npm run deploy` refuses warnings. */
export function obstaclesIn(settings: StageSettings): readonly Warning[] {
  const reasons = {
    placeholder: 'is still a placeholder: set it before you deploy.',
    loopback: 'is loopback, which inside Lambda is the function itself; use a reachable address.',
    private: 'is private, and there is no vpc: no function can reach it.',
  }
  return upstreamAddresses(settings).flatMap(({ at, host, reach }) =>
    reach === 'public' || (reach === 'private' && settings.vpc !== null)
      ? []
      : [{ at, text: `${host} ${reasons[reach]}` }],
  )
}

const looksLikeKey = (header: string): boolean => /authorization|cookie|key|password|secret|token/i.test(header)

/** Plain headers that look as if they held a key. */
function* keysInHeaders({ upstreamHeaders, nodes, indexerHeaders }: StageSettings): Generator<Warning> {
  const given = [
    ['upstreamHeaders', upstreamHeaders, 'nodeCredential'],
    ...(nodes ?? []).map(({ headers }) => ['nodes', headers, "the node's credential"] as const),
    ['indexerHeaders', indexerHeaders, 'indexerCredential'],
  ] as const
  for (const [at, headers, better] of given) {
    const names = Object.keys(headers).filter(looksLikeKey).join(', ')
    if (names === '') continue
    const text = `${names} looks like a key. Plain headers can be read in the template and the functions' settings; with ${better} only a secret holds it.`
    yield { at, text }
  }
}

/** Often the end of the address was left out when it was copied; a gateway may serve its root, though. */
function* addressesWithoutPath(settings: StageSettings): Generator<Warning> {
  for (const { at, host, hasPath } of upstreamAddresses(settings)) {
    if (!hasPath) yield { at, text: `${host} has no path, where a daemon and an indexer have theirs at /graphql.` }
  }
}

/** Targets that functions in a VPC reach only through something that the stack does not create. */
function* waysOutOfVpc(settings: StageSettings): Generator<Warning> {
  const { vpc, region, nodeCredential, nodes, indexerCredential } = settings
  if (vpc === null) return
  const credentials = [nodeCredential, ...(nodes ?? []).map(({ credential }) => credential), indexerCredential]
  const stores = credentials
    .filter((credential): credential is Credential => credential !== null)
    .map(({ secret }) => (secret === null ? 'ssm' : 'secretsmanager'))
  for (const store of new Set(stores)) {
    const text = `keys are read through a VPC endpoint com.amazonaws.${region}.${store} with private DNS, or through a NAT gateway. Without either, requests fail after a clean deployment.`
    yield { at: 'vpc', text }
  }
  const hosts = upstreamAddresses(settings).flatMap(({ host, reach }) => (reach === 'public' ? [host] : []))
  if (hosts.length > 0) {
    const text = `${[...new Set(hosts)].join(', ')}: needs a NAT gateway, unless the name has an address in the VPC.`
    yield { at: 'vpc', text }
  }
}

/** While nodes listed before it are down, an instance that starts then cannot tell a node of another network. */
function* missingPin({ nodes, genesisStateHash }: StageSettings): Generator<Warning> {
  if (nodes === null || nodes.length < 2 || genesisStateHash !== null) return
  const text = 'is not set, and there are several nodes: while the first is down, one of another network would be used.'
  yield { at: 'genesisStateHash', text }
}

function* retiredChain({ genesisStateHash }: StageSettings): Generator<Warning> {
  const retired = retiredPin(genesisStateHash)
  if (retired === undefined) return
  yield {
    at: 'genesisStateHash',
    text: `the last one is the genesis block of a chain that a hard fork has ended: ${retired}. Upgraded nodes are not used; \`npm run doctor -- --node URL\` prints theirs.`,
  }
}

function* chainIdAlone({ genesisStateHash, chainId }: StageSettings): Generator<Warning> {
  if (chainId === null || genesisStateHash !== null) return
  const text =
    'only `doctor` looks at it without a genesisStateHash beside it: the service uses a node that names another.'
  yield { at: 'chainId', text }
}

function* escapeFromLimits({ ipv6, firewall }: StageSettings): Generator<Warning> {
  if (!ipv6 || !firewall.enabled) return
  const text = 'a client with IPv6 escapes the limits per address: its network has an endless number of addresses.'
  yield { at: 'ipv6', text }
}

function* alarmsForNobody({ alarmEmail, alarmTopicArn }: StageSettings): Generator<Warning> {
  if (alarmEmail !== null || alarmTopicArn !== null) return
  yield { at: 'alarmEmail', text: 'nobody receives alarms until someone subscribes to the topic of the stack.' }
}

/** The stage files show such addresses, for their reader to replace. RFC 2606 keeps the domains from everybody. */
function* exampleEmails({ alarmEmail, ticketEmail }: StageSettings): Generator<Warning> {
  for (const [at, address] of Object.entries({ alarmEmail, ticketEmail })) {
    const domain = address?.split('@').at(-1)
    if (domain === undefined || !/^example\.(com|net|org)$/.test(domain)) continue
    yield { at, text: `${domain} belongs to nobody, so nobody receives these e-mails.` }
  }
}

/** Settings with which a stage works, perhaps not as intended. The synthesis prints them. */
export const hintsFor = (settings: StageSettings): readonly Warning[] =>
  [
    keysInHeaders,
    addressesWithoutPath,
    waysOutOfVpc,
    missingPin,
    retiredChain,
    chainIdAlone,
    escapeFromLimits,
    alarmsForNobody,
    exampleEmails,
  ].flatMap((hints) => [...hints(settings)])
