// Commands of the test wallets to send as they stand, each signed with the next nonce when it is asked for.

import type { Chain } from '../../packages/testnet/chain.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { servedMethods } from '../../shared/http/routes.ts'
import { signedCommands } from '../examples/signed-forms.ts'
import type { Route } from '../gateway/route.ts'

interface SignedExample {
  /** `GET` here returns the signed command. */
  readonly path: string
  /** `POST` here broadcasts it. */
  readonly broadcastPath: string
  readonly sign: (typeof signedCommands)[keyof typeof signedCommands]
}

/** One for each endpoint that takes a signed command. */
export const signedExamples: readonly SignedExample[] = endpoints.flatMap(({ name, path }) => {
  const sign = new Map(Object.entries(signedCommands)).get(name)
  return sign === undefined ? [] : [{ path: path.replace('/broadcast', '/examples'), broadcastPath: path, sign }]
})

/** The routes of the examples; only `npm start` has them. */
export const exampleRoutes = (chain: Chain): Route[] =>
  signedExamples.map(({ path, sign }) => ({
    methods: servedMethods('GET'),
    path,
    handler: async () => ({
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify(sign(chain, { memo: 'hello' }).contract),
    }),
  }))
