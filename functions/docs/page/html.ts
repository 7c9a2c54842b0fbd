// HTML as a value: a template escapes its values, unless they are HTML already.

export interface Html {
  readonly html: string
}

/** Nothing is shown for `undefined` and `false`. */
type Part = string | number | boolean | undefined | Html | readonly Html[]

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part !== 'object') return escaped(String(part))
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/**
 * @example
 * html`<p>${'a < b'}</p>` // { html: '<p>a &#60; b</p>' }
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: String.raw({ raw: texts }, ...parts.map(textOf)),
})

/** A sentence of the document: code between backticks, powers after `^`. */
export const prose = (text: string): Html => ({
  html: escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\^(-?\d+)/g, '<sup>$1</sup>'),
})

/** Paragraphs, separated by blank lines. */
export const paragraphs = (text: string): readonly Html[] =>
  text.split('\n\n').map((part) => html`<p>${prose(part)}</p>`)

/** A path, whose lines may break after each slash and between words. */
export const breakable = (path: string): Html => ({ html: escaped(path).replace(/[/_]/g, '$&<wbr>') })

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)
