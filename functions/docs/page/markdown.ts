// Renders this project's Markdown as the library does, except where these pages need something else.
import { Marked } from 'marked'
import { type Html, html } from './html.ts'

/** Makes a link for a reader who may not have its target. */
type Link = (target: string, text: Html) => Html

/** The name of a heading in links, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Lets a wide table scroll, by keyboard too. Only the renderer writes this tag: HTML in the document is shown as text. */
const scrolling = (text: string): string =>
  text
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')

/**
 * HTML in the document is shown as text.
 *
 * @param markdown GitHub's
 * @param link makes each link; gets its target as in the document
 */
export function markdownAsHtml(markdown: string, link: Link): Html {
  const marked = new Marked({
    // Without HTML tokens, HTML is text, which the library escapes.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer))
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      code: ({ text }) => html`<pre tabindex="0" role="group" aria-label="Code"><code>${text}</code></pre>`.html,
      // In a table names stay on one line; a call with its options would push the other columns off the screen.
      codespan: ({ text }) => /\(.* /.test(text) && html`<code class="call">${text}</code>`.html,
      image: ({ text }) => html`<em>${text}</em>`.html,
      link({ href, tokens }) {
        return link(href, { html: this.parser.parseInline(tokens) }).html
      },
      tablecell({ header, text, tokens }) {
        const content = { html: this.parser.parseInline(tokens) }
        // A column without a title has no heading to read out.
        return (header && text !== '' ? html`<th scope="col">${content}</th>` : html`<td>${content}</td>`).html
      },
    },
  })
  return { html: scrolling(marked.parse(markdown, { async: false })) }
}
