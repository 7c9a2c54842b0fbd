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

const parametersTable = (parameters: readonly Parameter[]): Html => html`
<h3>Parameters</h3>
<dl>${parameters.map(parameterRow)}</dl>`

/** An error in the usual shape is its message. */
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

/** Headers of all answers; those that mean the same share a row. */
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

function headerTables(request: Request): Html {
  const rows = headersOf(request)
  return html`
<h3>Caching</h3>
<table>${rows.filter(({ name }) => name === caching).map(cachingRow)}</table>
<details><summary>Headers of the answers</summary>
<dl>${rows.filter(({ name }) => name !== caching).map(headerRow)}</dl></details>`
}

const bodyRow = (type: string, content: Content): Html => html`
<div><dt><code>${type}</code> <span class="type">${typeOf(content.schema)}</span></dt><dd>${
  type !== 'application/json' &&
  html`<details><summary>Example</summary><pre tabindex="0" role="group" aria-label="Example of ${type}"><code>${String(content.example)}</code></pre></details>`
}</dd></div>`

const bodyTable = ({ description, content }: NonNullable<Request['requestBody']>): Html => html`
<h3>Body</h3>
${paragraphs(description)}
<dl>${Object.entries(content).map(([type, one]) => bodyRow(type, one))}</dl>`

export function requestSection(document: Document, request: Request): Html {
  const { method, path, operationId, summary, description, parameters = [], requestBody, responses } = request
  return html`
<section class="request" id="${operationId}" aria-labelledby="${operationId}-title">
<header>
<h2 id="${operationId}-title">${summary}</h2>
<p class="route">${methodBadge(method)} <code>${breakable(path)}</code></p>
${paragraphs(description)}${marksOf(request)}
</header>
${tryIt(document, request)}
<div class="facts">
${parameters.length > 0 && parametersTable(parameters)}
${requestBody && bodyTable(requestBody)}
<h3>Answers</h3>
<table>${Object.entries(responses).map(([status, response]) => statusRow(status, response))}</table>
${headerTables(request)}
</div>
</section>`
}
