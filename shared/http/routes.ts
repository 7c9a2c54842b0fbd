// The names of an endpoint outside its own file: its files, its route, its methods. Also the answers of the origin lock
// and the firewall to requests that reach no endpoint.

/** The file of an endpoint, without its ending: `getBlock` is in `get-block`. */
export const fileNameOf = (endpointName: string): string =>
  endpointName.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** The name of an endpoint in logs, metrics and the gateway: `GET /blocks/{state_hash}`. */
export const routeOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`

/** The paths under which an endpoint is served. */
export const pathsOf = <Path extends string>({ path, alias }: { readonly path: Path; readonly alias?: Path }) =>
  alias === undefined ? [path] : [path, alias]

/** The methods under which an endpoint is served: HEAD is GET without a body. */
export const servedMethods = (method: 'GET' | 'POST'): readonly ('GET' | 'HEAD' | 'POST')[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** Carries the secret by which a function recognises CloudFront; in lower case, as the API gateway hands headers over. */
export const originHeader = 'x-origin-secret'

/**
 * The top-level key that marks a heartbeat's event. API Gateway never writes it, and puts what a caller sends under
 * other keys, so only those who may invoke the function can set it.
 */
export const heartbeatKey = 'heartbeat'

/** 403 at an address behind the CDN. */
export const closedAddress = "Forbidden. Use the service's public URL."

/** 429 of the firewall. */
export const slowDown = 'Too many requests from your address. Wait a minute.'

/** 429 of the firewall, for an address that asks too much of the costly routes. */
export const slowDownCostly =
  'Too many requests for transactions, histories, the pool or older blocks from your address. Wait a minute.'

/** 403 of the firewall, for an address on the operator's list. */
export const blockedAddress = 'Requests from your address are refused.'
