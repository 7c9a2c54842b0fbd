// Documents of this project that a reader of the API needs, as pages beside the docs page: a deployment names no repository.
import { posix } from 'node:path'
import { docsRoutes } from '../../../shared/http/docs-page.ts'
import { type Html, html } from './html.ts'
import { markdownAsHtml } from './markdown.ts'
import { pageOf } from './shell.ts'

interface Guide {
  readonly title: string
  /** Path in the project. */
  readonly source: string
  /** Of its page, before the digest. */
  readonly name: string
}

/** In the order of the menu. */
const guides: readonly Guide[] = [
  { title: 'Broadcasting', source: 'docs/broadcasting.md', name: 'broadcasting' },
  { title: 'Recipes', source: 'docs/recipes.md', name: 'recipes' },
  { title: 'Exchanges', source: 'docs/exchanges.md', name: 'exchanges' },
  { title: 'Typed client', source: 'client/README.md', name: 'client' },
]

export interface GuidePage {
  readonly title: string
  /** Address of the page. */
  readonly path: string
  readonly text: string
}

/**
 * @param digest of the guides' texts, for their names: they refer to each other, so they share one
 * @param style address of the style sheet
 * @param read gives the text of a file of the project
 */
export function guidePages(digest: string, style: string, read: (source: string) => string): readonly GuidePage[] {
  const pathOf = ({ name }: Guide) => docsRoutes.file.replace('{file}', `${name}-${digest}.html`)
  const menu = guides.map(
    (guide): Html => html`
<li><a href="${pathOf(guide)}">${guide.title}</a></li>`,
  )
  const linkIn = (source: string) => (target: string, text: Html) => {
    if (/^(?:https:|#)/.test(target)) return html`<a href="${target}">${text}</a>`
    const [file = '', anchor] = target.split('#')
    const path = posix.join(posix.dirname(source), file)
    const named = guides.find((guide) => guide.source === path)
    // What is no guide is for those who have the project.
    if (named === undefined) return html`${text} (<code>${path}</code>)`
    return html`<a href="${pathOf(named)}${anchor !== undefined && `#${anchor}`}">${text}</a>`
  }
  return guides.map((guide) => ({
    title: guide.title,
    path: pathOf(guide),
    text: pageOf(
      { title: guide.title, style },
      html`
<a class="skip" href="#text">Skip to the text</a>
<nav aria-label="Guides">
<ul>
<li><a href="${docsRoutes.page}">Requests</a></li>
<li class="group">Guides</li>${menu}
</ul>
</nav>
<main id="text" class="guide" tabindex="-1">${markdownAsHtml(read(guide.source), linkIn(guide.source))}
</main>`,
    ),
  }))
}
