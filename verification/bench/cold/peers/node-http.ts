// Written by hand, over node:https or node:http as the address needs, without an import: that of node:http would load the
// built-in fetch too.
import { text } from 'node:stream/consumers'
import type { CompiledSchema } from '../../../../functions/runtime/request-check.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { handlerWith, type Post } from './exchange.ts'

const { Agent, request } = process.env.NODE_GRAPHQL_URL?.startsWith('https:')
  ? process.getBuiltinModule('node:https')
  : process.getBuiltinModule('node:http')
const agent = new Agent({ keepAlive: true })

const postByNode: Post = (url, body, timeoutMs) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request(url, { agent, method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) })
      .on('response', (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject)
      })
      .on('error', reject)
      .end(body)
  })

export const handlerFor = (endpoint: Endpoint, schema: CompiledSchema) => handlerWith(endpoint, schema, postByNode)
