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

/** Throws a NetworkMismatch unless the service is on your network, which you name: never take it from the service. */
export async function checkNetwork(url: string, network: string) {
  const answer = await fetch(`${url}/network`)
  if (!answer.ok) throw new Error(`${answer.status}: the service does not name its network now`)
  // A redirect would make a GET of each broadcast.
  if (answer.redirected) throw new Error(`the service is at ${answer.url}: use that address`)
  const { networkName } = (await answer.json()) as { networkName?: unknown }
  if (typeof networkName !== 'string') throw new Error('something else answers at this address')
  if (networkName !== network) throw new NetworkMismatch(network, networkName)
}
