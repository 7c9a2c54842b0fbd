// The Markdown of this project's documents as HTML: headings, paragraphs, lists, tables, code, and what stands in a line.
import { type Html, html } from './html.ts'

/** A link as its reader gets it, who may not have the place to which it leads. */
type Link = (target: string, text: Html) => Html

/** A code, an image, a link, bold or slanted text; of each the parts that are shown. */
const inLine =
  /`(?<code>[^`]+)`|!\[(?<image>[^\]]*)\]\([^)]*\)|\[(?<text>[^\]]+)\]\((?<target>[^)]+)\)|\*\*(?<bold>.+?)\*\*|\*(?<slanted>[^*]+)\*/g

function lineOf(text: string, link: Link): Html {
  const parts: Html[] = []
  let end = 0
  for (const { 0: whole, index, groups = {} } of text.matchAll(inLine)) {
    parts.push(html`${text.slice(end, index)}`, partOf(groups, link))
    end = index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

function partOf({ code, image, text, target, bold, slanted }: Record<string, string>, link: Link): Html {
  if (code !== undefined) return html`<code>${code}</code>`
  if (bold !== undefined) return html`<b>${lineOf(bold, link)}</b>`
  if (slanted !== undefined) return html`<em>${lineOf(slanted, link)}</em>`
  if (text === undefined || target === undefined) return html`<em>${image}</em>`
  return link(target, lineOf(text, link))
}

/** The name of a heading in links, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function tableOf([head = '', , ...rows]: readonly string[], link: Link): Html {
  const cell = (text: string) => html`<td>${lineOf(text, link)}</td>`
  // A column without a title has no heading to read out.
  const title = (text: string) => (text === '' ? html`<td></td>` : html`<th scope="col">${lineOf(text, link)}</th>`)
  return html`<table><tr>${cellsOf(head).map(title)}</tr>${rows.map(
    (row) => html`
<tr>${cellsOf(row).map(cell)}</tr>`,
  )}</table>`
}

const item = /^(?:-|\d+\.) /

/** The lines of each item, without what marks it or moves it in. */
function itemsOf(lines: readonly string[]): readonly string[][] {
  const items: string[][] = []
  for (const line of lines) {
    if (item.test(line)) items.push([line.replace(item, '')])
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''))
  }
  return items
}

function listOf(lines: readonly string[], link: Link): Html {
  const items = itemsOf(lines).map(
    ([first = '', ...rest]) => html`<li>${lineOf(first, link)}${blocksOf(rest, link)}</li>`,
  )
  return lines[0]?.startsWith('-') ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`
}

function headingOf(line: string, link: Link): Html {
  const [, signs = '', text = ''] = /^(#{1,3}) (.*)$/.exec(line) ?? []
  const [id, content] = [anchorOf(text), lineOf(text, link)]
  if (signs === '#') return html`<h1 id="${id}">${content}</h1>`
  return signs === '##' ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`
}

const fence = '```'

/** The kinds of blocks: how the first line begins, and whether a line goes on with it. */
const kinds: readonly {
  readonly begins: RegExp
  goesOn(line: string): boolean
  shown(lines: readonly string[], link: Link): Html
}[] = [
  { begins: /^#/, goesOn: () => false, shown: ([line = ''], link) => headingOf(line, link) },
  { begins: /^\|/, goesOn: (line) => line.startsWith('|'), shown: tableOf },
  { begins: item, goesOn: (line) => item.test(line) || line.startsWith('  '), shown: listOf },
  {
    begins: /^/,
    goesOn: (line) => line !== '' && !line.startsWith(fence) && !/^[#|]/.test(line) && !item.test(line),
    shown: (lines, link) => html`<p>${lineOf(lines.join(' '), link)}</p>`,
  },
]

function blocksOf(lines: readonly string[], link: Link): readonly Html[] {
  const [first, ...rest] = lines
  if (first === undefined) return []
  if (first === '') return blocksOf(rest, link)
  if (first.startsWith(fence)) {
    const end = rest.indexOf(fence)
    const code = html`
<pre tabindex="0" role="group" aria-label="Code"><code>${rest.slice(0, end).join('\n')}</code></pre>`
    return [code, ...blocksOf(rest.slice(end + 1), link)]
  }
  const kind = kinds.find(({ begins }) => begins.test(first))
  const length = 1 + rest.findIndex((line) => !kind?.goesOn(line))
  const own = length === 0 ? lines : lines.slice(0, length)
  return [
    html`
${kind?.shown(own, link)}`,
    ...blocksOf(lines.slice(own.length), link),
  ]
}

/** @param link makes each link, whose target is as the document has it */
export const markdownAsHtml = (markdown: string, link: Link): Html => html`${blocksOf(markdown.split('\n'), link)}`
