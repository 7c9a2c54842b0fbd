// Names on which the stack, the functions and the tools beside them must agree.

/** The file of an endpoint, without its ending: `getBlock` is in `get-block`. */
export const fileNameOf = (endpointName: string): string =>
  endpointName.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** The name of an endpoint in logs, metrics and the gateway: `GET /blocks/{state_hash}`. */
export const routeOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`

/** The methods under which an endpoint is served: HEAD is GET without a body. */
export const servedMethods = (method: 'GET' | 'POST'): readonly ('GET' | 'HEAD' | 'POST')[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The stage of a file in config/: `devnet.ts` belongs to `devnet`; undefined for any other file. */
export const stageOf = (fileName: string): string | undefined => /^([a-z][a-z0-9-]{0,29})\.ts$/.exec(fileName)?.[1]

/** The environment variable that overrides a stage's setting: `EXPLORER_NODE_GRAPHQL_URL` for `nodeGraphqlUrl`. */
export const settingVariable = (keyPath: string): string =>
  `EXPLORER_${keyPath.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`

/** Carries the secret by which a function knows CloudFront; in lower case, as the API gateway hands headers over. */
export const originHeader = 'x-origin-secret'

/** The headers that show on which tip of which chain an answer rests, and how its node is connected. */
export const labelHeaders = {
  height: 'x-chain-height',
  stateHash: 'x-chain-state-hash',
  /** ISO-8601 time of the tip. */
  time: 'x-chain-time',
  syncStatus: 'x-node-sync',
} as const

/** The file with names, licences and their texts of the software of others in the bundles: in the repository and in each bundle. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt'
