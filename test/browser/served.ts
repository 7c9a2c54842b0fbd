// The service as a browser reaches it, behind something that names an age, as a cache does.
import { readSettings } from '../../functions/runtime/settings/settings.ts'
import type { Chain } from '../../local/chain/chain.ts'
import { gateway } from '../../local/gateway/gateway.ts'
import { listen } from '../../local/start/listen.ts'
import { serviceRoutes } from '../../local/start/routes.ts'
import { runService } from '../end-to-end/running-service.ts'

export const age = '7'

export interface Served {
  readonly chain: Chain
  readonly port: number
  close(): Promise<void>
}

export async function serveToBrowsers(): Promise<Served> {
  const service = await runService()
  const routes = await serviceRoutes(readSettings({ NODE_GRAPHQL_URL: service.nodeUrl }), () => undefined)
  const answer = gateway(routes)
  const front = await listen(
    (request, response) => {
      response.setHeader('age', age)
      return answer(request, response)
    },
    0,
    '127.0.0.1',
  )
  return {
    chain: service.chain,
    port: front.port,
    async close() {
      await Promise.all([front.close(), service.close()])
    },
  }
}
