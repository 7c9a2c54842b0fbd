// The docs page: everything that the OpenAPI document says, readable without a script.
import { type Document, type Request, requestsOf } from './document.ts'
import { type Html, html, paragraphs } from './html.ts'
import { methodBadge, requestSection } from './request.ts'
import { schemasSection } from './schemas.ts'
import { pageOf } from './shell.ts'

/** Addresses that the page refers to. */
export interface PageAddresses {
  readonly script: string
  /** Address of the module that the script imports. */
  readonly snippets: string
  readonly style: string
  readonly description: string
  readonly guides: readonly { readonly title: string; readonly path: string }[]
}

/** Lets a narrow menu break a path after a slash, not inside a word. */
const brokenAtSlashes = (path: string): readonly Html[] =>
  path.split(/(?<=[^/]\/)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))

const navigationItem = ({ operationId, method, path }: Request): Html => html`
<li><a class="call" href="#${operationId}">${methodBadge(method)} <code>${brokenAtSlashes(path)}</code></a></li>`

/** The groups of menu and page in their order, by the tags of the document. */
const groups: Readonly<Record<string, string>> = {
  blocks: 'Blocks',
  accounts: 'Accounts',
  transactions: 'Transactions',
  blockchain: 'Chain',
  broadcast: 'Broadcasting',
}

const placeOf = ({ tags }: Request): number => Object.keys(groups).findIndex((tag) => tags.includes(tag))

const navigationGroups = (requests: readonly Request[]): readonly Html[] =>
  Object.entries(groups).map(([tag, title]) => {
    const own = requests.filter(({ tags }) => tags.includes(tag))
    return html`
<li class="group">${title}</li>${own.map(navigationItem)}`
  })

/** @param document the OpenAPI document; its first paragraph introduces the page, the others come after the requests */
export function pageText(document: Document, { script, snippets, style, description, guides }: PageAddresses): string {
  const { title, version, description: about } = document.info
  const [lead = '', ...notes] = about.split('\n\n')
  const requests = requestsOf(document).toSorted((one, other) => placeOf(one) - placeOf(other))
  return pageOf(
    {
      title,
      about: lead,
      style,
      scripts: html`
<link rel="modulepreload" href="${snippets}">
<script type="module" src="${script}"></script>`,
    },
    html`
<a class="skip" href="#requests">Skip to the requests</a>
<header class="top">
<h1>${title}</h1>
${paragraphs(lead)}
<noscript><p>Without a script this page shows each request and a sample of its answer, and sends none.</p></noscript>
</header>
<nav aria-label="Requests">
<search hidden>
<label for="wanted" class="aside">Find a request by its path or by a word</label>
<input id="wanted" type="search" placeholder="Find a request" autocomplete="off" spellcheck="false">
<p role="status" class="found"></p>
</search>
<ul>${navigationGroups(requests)}
<li class="group">Guides</li>${guides.map(
      ({ title: name, path }) => html`
<li><a href="${path}">${name}</a></li>`,
    )}
<li class="group">More</li>
<li><a href="#notes">Notes</a></li>
<li><a href="#schemas">Schemas</a></li>
<li><a href="${description}">openapi.json ${version}</a></li>
</ul>
</nav>
<main id="requests" tabindex="-1">
${requests.map((request) => requestSection(document, request))}
<section id="notes" class="notes">
<h2>Notes</h2>
${paragraphs(notes.join('\n\n'))}
</section>
${schemasSection(document)}
</main>`,
  )
}
