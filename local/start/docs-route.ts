// The routes of the docs page. Its files are made when they are asked for: a start does not wait for them.
import type { Log } from '../../functions/runtime/log.ts'
import { docsRules } from '../../shared/admission/routes.ts'
import type { Route } from '../gateway/route.ts'

type Handler = Route['handler']

/** Changes the OpenAPI document, JSON, before it is served. */
export type Describe = (openApi: string) => string

async function newHandler(log: Log | undefined, describe: Describe): Promise<Handler> {
  const [{ docsFiles }, { servingFiles }] = await Promise.all([
    import('../../functions/docs/page/files.ts'),
    import('../../functions/docs/serve-files.ts'),
  ])
  const ports = { ...(log !== undefined && { log }) }
  return async (event, context) => {
    // As the caller knows this machine, which may have several addresses.
    const { host } = event.headers
    const files = docsFiles({ describe, ...(host !== undefined && { address: `http://${host}` }) })
    return servingFiles(files, ports)(event, context)
  }
}

/**
 * @param log receives the line of each refused request; stdout by default
 * @param describe called at each request
 */
export function docsPageRoutes(log: Log | undefined, describe: Describe = (openApi) => openApi): Route[] {
  let made: Promise<Handler> | undefined
  const handler: Handler = async (event, context) => {
    made ??= newHandler(log, describe)
    return (await made)(event, context)
  }
  return docsRules.map((rule) => ({ ...rule, handler }))
}
