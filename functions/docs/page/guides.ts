// Documents of this project that a reader of the API needs, as pages beside the docs page: a deployment does not know its
// repository.
import { posix } from 'node:path'
import { docsRoutes, guideNames } from '../../../shared/http/docs-page.ts'
import { type Html, html } from './html.ts'
import { markdownAsHtml } from './markdown.ts'
import { pageOf } from './shell.ts'

interface Guide {
  readonly title: string
  /** Path in the project. */
  readonly source: string
}

const guides: Readonly<Record<(typeof guideNames)[number], Guide>> = {
  broadcasting: { title: 'Broadcasting', source: 'docs/broadcasting.md' },
  recipes: { title: 'Recipes', source: 'docs/recipes.md' },
  exchanges: { title: 'Exchanges', source: 'docs/exchanges.md' },
  client: { title: 'Typed client', source: 'packages/client/README.md' },
}

/** Without a digest, so that people can bookmark a guide. */
const pathOf = (name: string): string => docsRoutes.file.replace('{file}', `${name}.html`)

const listed = guideNames.map((name) => ({ ...guides[name], path: pathOf(name) }))

export interface GuidePage {
  readonly title: string
  /** Address of the page. */
  readonly path: string
  readonly text: string
}

/**
 * @param style address of the style sheet
 * @param read gives the text of a file of the project
 */
export function guidePages(style: string, read: (source: string) => string): readonly GuidePage[] {
  const menuOf = (shown: string) =>
    listed.map(
      ({ title, path }): Html => html`
<li><a href="${path}"${path === shown && html` aria-current="page"`}>${title}</a></li>`,
    )
  const linkIn = (source: string) => (target: string, text: Html) => {
    if (/^(?:https:|#)/.test(target)) return html`<a href="${target}">${text}</a>`
    const [file = '', anchor] = target.split('#')
    const place = posix.join(posix.dirname(source), file)
    const named = listed.find((guide) => guide.source === place)
    // Other documents are not deployed.
    if (named === undefined) return html`${text} (<code>${place}</code>)`
    return html`<a href="${named.path}${anchor !== undefined && `#${anchor}`}">${text}</a>`
  }
  return listed.map(({ title, path, source }) => ({
    title,
    path,
    text: pageOf(
      { title, style },
      html`
<a class="skip" href="#text">Skip to the text</a>
<nav aria-label="Guides">
<ul>
<li><a href="${docsRoutes.page}">Requests</a></li>
<li class="group">Guides</li>${menuOf(path)}
</ul>
</nav>
<main id="text" class="guide" tabindex="-1">${markdownAsHtml(read(source), linkIn(source))}
</main>`,
    ),
  }))
}
