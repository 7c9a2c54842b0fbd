// Written by hand, over the built-in fetch.
import type { CompiledSchema } from '../../../../functions/runtime/request-check.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { handlerWith, type Post } from './exchange.ts'

const postByFetch: Post = async (url, body, timeoutMs) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: response.status, text: await response.text() }
}

export const handlerFor = (endpoint: Endpoint, schema: CompiledSchema) => handlerWith(endpoint, schema, postByFetch)
