/** The service is on another network than yours. */
export class NetworkMismatch extends Error {
  readonly expected: string
  readonly actual: string

  constructor(expected: string, actual: string) {
    super(`the service is on ${actual}, not on ${expected}`)
    this.expected = expected
    this.actual = actual
  }
}

/** A network by its name, and what its commands are signed for. Never take either from the service. */
export interface Network {
  readonly network: string
  /** By default `mainnet` on mainnet, `testnet` on devnet and testnet. */
  readonly signatureKind?: string | undefined
}

/** What to sign for. */
export function kindOf({ network, signatureKind }: Network) {
  if (signatureKind) return signatureKind
  if (['devnet', 'testnet'].includes(network)) return 'testnet'
  if (network !== 'mainnet') throw new Error(`say what is signed for on ${network}, as its signatureKind`)
  return network
}

/** Throws a NetworkMismatch if the service is on another network, or takes other signatures. */
export async function checkNetwork(url: string, yours: Network) {
  const [network, kind] = [yours.network, kindOf(yours)]
  const answer = await fetch(`${url}/network`)
  if (!answer.ok) throw new Error(`${answer.status}: the service does not name its network now`)
  // A redirect would make a GET of each broadcast.
  if (answer.redirected) throw new Error(`the service is at ${answer.url}: use that address`)
  // A service over an older node does not say what to sign for.
  const { networkName, signatureKind = kind } = (await answer.json()) as Record<string, unknown>
  if (typeof networkName !== 'string') throw new Error('something else answers at this address')
  if (networkName !== network) throw new NetworkMismatch(network, networkName)
  if (signatureKind !== kind)
    throw new NetworkMismatch(`${network} signed for ${kind}`, `${network} signed for ${signatureKind}`)
}
