// The script of the viewer, Scalar's API reference.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import plugin from '@scalar/fastify-api-reference'

/** A route of the plugin. */
interface Route {
  readonly url: string
  handler(request: object, reply: object): void
}

/** The plugin is registered as Fastify would do it: it then has a route for the script. */
function servedScript(): string {
  const routes: Route[] = []
  const fastify = {
    route: (route: Route) => routes.push(route),
    hasPlugin: () => false,
    initialConfig: {},
    log: console,
  }
  plugin(fastify, { configuration: { url: '/openapi.json' } }, () => undefined)
  let script = ''
  const reply = {
    header: () => reply,
    send: (text: string) => {
      script = text
    },
  }
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply)
  if (script === '') throw new Error('@scalar/fastify-api-reference serves no script any more')
  return script
}

/** The licence must be in every copy. */
function licence(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFileSync(join(dirname(entry), '../LICENSE'), 'utf8').trim()
}

/**
 * The script, with its licence. The plugin for Fastify brings it in 20 packages; it is the `standalone.js` of
 * `@scalar/api-reference`, which brings 271.
 *
 * @throws Error where the plugin serves no script
 */
export const viewerScript = (): string => `/*!\n${licence()}\n*/\n${withoutSourceMap(servedScript())}`

/** The package has no source map, for which developer tools would ask this service. */
const withoutSourceMap = (script: string): string => script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
