// The routes of the docs page. Its files are made when the first of them is asked for: a start does not wait for them.
import type { Log } from '../../functions/runtime/log.ts'
import { docsRules } from '../../shared/admission/routes.ts'
import type { Route } from '../gateway/route.ts'

type Handler = Route['handler']

async function newHandler(log: Log | undefined): Promise<Handler> {
  const [{ docsFiles }, { servingFiles }] = await Promise.all([
    import('../../functions/docs/page/files.ts'),
    import('../../functions/docs/serve-files.ts'),
  ])
  return servingFiles(docsFiles(), { ...(log !== undefined && { log }) })
}

/** @param log receives the line of each refused request; stdout by default */
export function docsPageRoutes(log: Log | undefined): Route[] {
  let made: Promise<Handler> | undefined
  const handler: Handler = async (event, context) => {
    made ??= newHandler(log)
    return (await made)(event, context)
  }
  return docsRules.map((rule) => ({ ...rule, handler }))
}
