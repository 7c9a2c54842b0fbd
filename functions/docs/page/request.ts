// The HTML of one request: description, parameters, answers.
import { type Content, type Document, examplesOf, type Parameter, type Request, type Response } from './document.ts'
import { breakable, type Html, html, jsonText, paragraphs, prose } from './html.ts'
import { marksOf, typeOf } from './schemas.ts'
import { tryIt } from './try-it.ts'

export const methodBadge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

function rangeOf({ minimum, maximum, default: initial }: Parameter['schema']): string {
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : ''
  return initial === undefined ? range : `${range}, default ${initial}`
}

const parameterRow = ({ name, in: place, schema, required, description }: Parameter): Html => html`
<div><dt><code>${name}</code> <span class="type">${place}, ${typeOf(schema)}${rangeOf(schema)}${!required && ', optional'}</span></dt>
<dd>${prose(description)}</dd></div>`

/** A part of a request, folded: the page of all requests is long. */
const folded = (title: string, aside: string, content: Html): Html => html`
<details><summary><h3>${title}</h3> <span class="type">${aside}</span></summary>${content}
</details>`

const parametersList = (parameters: readonly Parameter[]): Html =>
  folded(
    'Parameters',
    parameters.map(({ name }) => name).join(', '),
    html`
<dl>${parameters.map(parameterRow)}</dl>`,
  )

/** The message of an error in the usual shape. */
function messageOf(value: unknown): string | undefined {
  const { message, ...others } = Object(value)
  return typeof message === 'string' && Object.keys(others).length === 0 ? message : undefined
}

function exampleOf({ summary, value }: { summary: string; value: unknown }): Html {
  const message = messageOf(value)
  if (message !== undefined) return html` <code class="message">${message}</code>`
  const name = summary === '' ? 'Example' : summary
  return html`
<details><summary>${name}</summary><pre class="json" tabindex="0" role="group" aria-label="${name}"><code>${jsonText(value)}</code></pre></details>`
}

const bodyOf = (status: string, content: Content): Html =>
  status.startsWith('2')
    ? html` <span class="type">${typeOf(content.schema)}</span>`
    : html`${examplesOf(content).map(exampleOf)}`

const statusRow = (status: string, { description, content = {} }: Response): Html => html`
<tr><th scope="row">${status}</th><td>${prose(description)}${Object.values(content).map((one) => bodyOf(status, one))}</td></tr>`

interface HeaderRow {
  readonly name: string
  readonly description: string
  readonly example: unknown
  readonly statuses: string[]
}

/** Headers of all answers; equal ones share a row. */
function headersOf({ responses }: Request): readonly HeaderRow[] {
  const rows = new Map<string, HeaderRow>()
  for (const [status, { headers = {} }] of Object.entries(responses)) {
    for (const [name, { description, example }] of Object.entries(headers)) {
      const row = rows.get(`${name} ${description}`) ?? { name, description, example, statuses: [] }
      rows.set(`${name} ${description}`, row)
      row.statuses.push(status)
    }
  }
  return [...rows.values()]
}

const caching = 'cache-control'

const cachingRow = ({ description, statuses }: HeaderRow): Html => html`
<tr><th scope="row">${statuses.join(' ')}</th><td>${paragraphs(description.replaceAll('; ', '\n\n'))}</td></tr>`

const headerRow = ({ name, description, example, statuses }: HeaderRow): Html => html`
<div><dt><code>${name}</code> <span class="type">${statuses.join(' ')}</span></dt>
<dd>${prose(description)} <code class="message">${String(example ?? '')}</code></dd></div>`

function headersList(request: Request): Html {
  const rows = headersOf(request)
  return folded(
    'Headers of the answers',
    '',
    html`
<h4>Caching</h4>
<table>${rows.filter(({ name }) => name === caching).map(cachingRow)}</table>
<dl>${rows.filter(({ name }) => name !== caching).map(headerRow)}</dl>`,
  )
}

const bodyRow = (type: string, content: Content): Html => html`
<div><dt><code>${type}</code> <span class="type">${typeOf(content.schema)}</span></dt><dd>${
  type !== 'application/json' &&
  html`<details><summary>Example</summary><pre tabindex="0" role="group" aria-label="Example of ${type}"><code>${String(content.example)}</code></pre></details>`
}</dd></div>`

const bodyList = ({ description, content }: NonNullable<Request['requestBody']>): Html =>
  folded(
    'Body',
    Object.keys(content).join(', '),
    html`
${paragraphs(description)}
<dl>${Object.entries(content).map(([type, one]) => bodyRow(type, one))}</dl>`,
  )

const answersTable = ({ responses }: Request): Html =>
  folded(
    'Answers',
    Object.keys(responses).join(' '),
    html`
<table>${Object.entries(responses).map(([status, response]) => statusRow(status, response))}</table>`,
  )

export function requestSection(document: Document, request: Request): Html {
  const { method, path, operationId, summary, description, parameters = [], requestBody } = request
  return html`
<section class="request" id="${operationId}" aria-labelledby="${operationId}-title">
<header>
<h2 id="${operationId}-title">${summary}</h2>
<p class="route">${methodBadge(method)} <code>${breakable(path)}</code></p>
${paragraphs(description)}${marksOf(request)}
</header>
${tryIt(document, request)}
<div class="facts">
${parameters.length > 0 && parametersList(parameters)}${requestBody && bodyList(requestBody)}${answersTable(request)}${headersList(request)}
</div>
</section>`
}
