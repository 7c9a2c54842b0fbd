// A request as one types it, with the form to change and send it. The page's script fills in the rest.
import { snippetOf, snippets } from '../browser/snippets.js'
import { type Document, examplesOf, type Parameter, type Request, requestsOf, sampleOf } from './document.ts'
import { type Html, html, jsonText } from './html.ts'

/** Shown until the page's script knows the address, unless the document has it. */
const originIn = ({ servers: [{ url }] }: Document): string => (url === '/' ? 'https://<host>' : url)

/** A source of a path parameter's value: an address, and JSON pointers into its answer. */
interface Source {
  readonly address: string
  /** Address of a longer answer, if the first one lacks the value. */
  readonly longer: string
  /** Separated by blanks; a value of several parts has a hyphen between them. */
  readonly pointers: string
}

const expression = /\$response\.body#(\/[^}]*)/g

/** The address of a request with the largest value of each option that has a default. */
const longestOf = ({ path, parameters = [] }: Request): string => {
  const options = parameters.flatMap(({ name, schema }) =>
    schema.maximum && schema.default ? [`${name}=${schema.maximum}`] : [],
  )
  return options.length === 0 ? path : `${path}?${options.join('&')}`
}

/** Reads the links of the document backwards: from a parameter to an answer that holds its value. */
function sourceOf(document: Document, { operationId }: Request, { name }: Parameter): Source | undefined {
  for (const request of requestsOf(document)) {
    for (const { links = {} } of Object.values(request.responses)) {
      const link = Object.values(links).find((one) => one.operationId === operationId)
      const pointers = Array.from((link?.parameters[name] ?? '').matchAll(expression), ([, pointer]) => pointer)
      if (pointers.length > 0) {
        return { address: request.path, longer: longestOf(request), pointers: pointers.join(' ') }
      }
    }
  }
  return undefined
}

/** Options without a default, and headers, are sent only if somebody fills them in. */
const initialValue = ({ required, schema, example }: Parameter): string =>
  required || schema.default !== undefined ? String(example ?? schema.default ?? '') : ''

function fieldOf(document: Document, request: Request, parameter: Parameter): Html {
  const source = sourceOf(document, request, parameter)
  const origin =
    source && html` data-from="${source.address}" data-longer="${source.longer}" data-pointers="${source.pointers}"`
  return html`
<label><span>${parameter.name}</span><input name="${parameter.name}" data-in="${parameter.in}" value="${initialValue(parameter)}"${origin}${parameter.required && html` required`} autocomplete="off" spellcheck="false"></label>`
}

/** The bodies that a request takes as JSON. */
const bodiesOf = ({ requestBody }: Request) => {
  const json = requestBody?.content['application/json']
  return json === undefined ? [] : examplesOf(json)
}

const bodyFields = (request: Request): Html => html`
<label><span>Form</span><select name="form" autocomplete="off">${bodiesOf(request).map(
  ({ summary, value }) => html`<option value="${jsonText(value)}">${summary}</option>`,
)}</select></label>
<label class="wide"><span>Body</span><textarea name="body" rows="6" autocomplete="off" spellcheck="false">
${jsonText(bodiesOf(request)[0]?.value)}</textarea></label>`

/** The request as its form first shows it. @param origin of the service */
export function sampleRequest({ method, path, parameters = [], ...request }: Request, origin: string) {
  const [body] = bodiesOf({ method, path, ...request })
  const given = parameters
    .map((parameter) => ({ ...parameter, value: initialValue(parameter) }))
    .filter(({ value }) => value !== '')
  const asked = given.filter((one) => one.in === 'query').map(({ name, value }): [string, string] => [name, value])
  const query = new URLSearchParams(asked)
  const givenFor = (name: string) => given.find((one) => one.name === name)?.value ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(givenFor(name)))
  return {
    method,
    url: `${origin}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: jsonText(body.value) }),
  }
}

const languageChoice = html`<label class="language" hidden><span class="aside">Language</span><select name="language" autocomplete="off">${Object.keys(
  snippets,
).map((language) => html`<option>${language}</option>`)}</select></label>`

const notSent = html`
<p class="hint">Shown, not sent: these signatures are of a test chain. Put in what your wallet signed and run the line, or try it on your own machine with <code>npm start</code>.</p>`

/** The request, its form, and an answer: the sample until a real one arrives. */
export function tryIt(document: Document, request: Request): Html {
  const { method, path, parameters = [] } = request
  const route = `${method} ${path}`
  const sample = sampleOf(request)
  const fieldsOf = (some: readonly Parameter[]) => some.map((parameter) => fieldOf(document, request, parameter))
  const folded = (title: string, some: readonly Parameter[]) =>
    some.length > 0 && html`<details><summary>${title}</summary>${fieldsOf(some)}</details>`
  const isHeader = ({ in: place }: Parameter) => place === 'header'
  const isFilled = (parameter: Parameter) => parameter.required || initialValue(parameter) !== ''
  const isSent = method === 'GET' || document['x-live-examples'] === true
  return html`
<div class="try">
<form data-method="${method}" data-path="${path}">
<div class="bar"><h3>Request</h3>${languageChoice}<button type="button" class="copy" hidden>Copy<span class="aside"> the request ${route}</span></button></div>
<pre class="code" tabindex="0" role="group" aria-label="Request ${route}"><code>${snippetOf('curl', sampleRequest(request, originIn(document)))}</code></pre>
<div class="fields" hidden>${fieldsOf(parameters.filter(isFilled))}${folded(
    'Options',
    parameters.filter((one) => !isFilled(one) && !isHeader(one)),
  )}${folded('Request headers', parameters.filter(isHeader))}${method !== 'GET' && bodyFields(request)}
${isSent && html`<button type="submit" class="send">Send<span class="aside"> ${route}</span></button>`}</div>${!isSent && notSent}
</form>
<div class="bar"><h3>Answer</h3><p role="status" class="status">sample, <b>${sample.status}</b></p></div>
<details class="received" hidden><summary>Headers</summary><pre tabindex="0" role="group" aria-label="Headers of the answer to ${route}"></pre></details>
<pre class="json answer" tabindex="0" role="group" aria-label="Answer to ${route}"><code>${jsonText(sample.value)}</code></pre>
</div>`
}
