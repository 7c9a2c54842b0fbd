// Finds where a text stops being JSON. The messages of JSON.parse give no position in a short text, and quote the body,
// signature included. Functions load it when a body is not JSON; it imports nothing, so that esbuild writes it as one file.

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literal = /true|false|null/y
const string = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y

/** The end of a number that is cut off after a point, an e or a sign. */
const cutNumber = /^(?:\.|[eE][+-]?)$/

/** An escape that the end of the text cuts off. */
const cutEscape = /\\(?:u[\dA-Fa-f]{0,3})?$/y

/** Values as programs in other languages print them. */
const foreignWord = /(?:[Nn]a[Nn]|-?Infinity|undefined|None|True|False|ObjectId)\b/y
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const comment = /\/[/*]/y

/** The end of a pattern's match at a place; undefined if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** True if the end of the text cuts off the number or the word that begins at a place. */
function isCutOff(text: string, at: number): boolean {
  const rest = text.slice(at, at + 'false'.length)
  const isWordCut = ['true', 'false', 'null'].some((whole) => whole !== rest && whole.startsWith(rest))
  if (isWordCut && at + rest.length === text.length) return true
  const isBareSign = text[at] === '-' && at + 1 === text.length
  const end = endOf(number, text, at) ?? text.length
  return isBareSign || cutNumber.test(text.slice(end, end + 3))
}

/** The kinds of things that may stand next, outside a value. */
type Expected = 'value' | 'item' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const wanted: Readonly<Record<Expected, string>> = {
  value: 'a value is expected',
  item: 'a value is expected',
  'first item': 'a value or ] is expected',
  key: 'a key is expected',
  'first key': 'a key or } is expected',
  colon: 'a colon is expected',
  comma: 'a comma or a closing bracket is expected',
  end: 'the document has already ended',
}

const doubleQuotes = 'keys and strings must be double-quoted'

const printable = /^[\x21-\x7E]$/

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Describes an unexpected character, perhaps with advice. */
function strayCharacter(text: string, at: number, expected: Expected): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (character === '\0') return `a NUL character at position ${at}`
  if (/['`‘’“”]/.test(character)) {
    const name = character === "'" ? 'a single quote' : `the quote ${character}`
    return `${name} at position ${at}: ${doubleQuotes}`
  }
  const shown = printable.test(character) ? character : codePointOf(character)
  return `${shown} at position ${at}, where ${wanted[expected]}`
}

/** Describes the unexpected text at a place. */
function strayText(text: string, at: number, expected: Expected): string {
  if (expected === 'end' && /[[{]/.test(text[at] ?? '')) return `a second document begins at position ${at}`
  if (endOf(comment, text, at) !== undefined) return `a comment at position ${at}`
  const foreign = endOf(foreignWord, text, at)
  if (foreign !== undefined) return `${text.slice(at, foreign)} at position ${at}, which is not a JSON value`
  if (expected !== 'end' && endOf(word, text, at) !== undefined) {
    return `a word without quotes at position ${at}: ${doubleQuotes}`
  }
  return strayCharacter(text, at, expected)
}

const tooEarly = 'it ends too early'

/** The end of the string that begins at a place, or its fault. */
function readString(text: string, at: number): number | string {
  const end = endOf(string, text, at) ?? at
  if (text[end] === '"') return end + 1
  if (end >= text.length || endOf(cutEscape, text, end) !== undefined) return tooEarly
  if (text[end] === '\\') return `an unknown escape at position ${end}`
  const character = text[end] ?? ''
  const name = character === '\0' ? 'a NUL character' : `the control character ${codePointOf(character)}`
  return `${name} inside a string at position ${end}: it must be escaped`
}

/** The same for a number, `true`, `false` or `null`; undefined if none begins there. */
const readBareValue = (text: string, at: number): number | string | undefined =>
  isCutOff(text, at) ? tooEarly : (endOf(literal, text, at) ?? endOf(number, text, at))

/** The first fault of a text; undefined for JSON. Without recursion: a body may be 8,000 levels deep. */
function firstFault(text: string): string | undefined {
  // The brackets that close the open ones, the innermost last.
  const closing: ('}' | ']')[] = []
  let expected: Expected = 'value'
  let at = 0
  const afterValue = (): Expected => (closing.length === 0 ? 'end' : 'comma')
  const step = (next: Expected): void => {
    at += 1
    expected = next
  }
  for (;;) {
    at = endOf(space, text, at) ?? at
    if (at >= text.length) return expected === 'end' ? undefined : tooEarly
    const character = text.charAt(at)
    const isKey: boolean = expected === 'key' || expected === 'first key'
    const isValue: boolean = expected === 'value' || expected === 'item' || expected === 'first item'
    const mayClose = expected !== 'value' && expected !== 'colon'
    if (mayClose && character === closing.at(-1)) {
      const isAfterComma = expected === 'key' || expected === 'item'
      if (isAfterComma) return `a trailing comma at position ${text.lastIndexOf(',', at)}`
      closing.pop()
      step(afterValue())
    } else if (isValue && character === '{') {
      closing.push('}')
      step('first key')
    } else if (isValue && character === '[') {
      closing.push(']')
      step('first item')
    } else if (expected === 'colon' && character === ':') {
      step('value')
    } else if (expected === 'comma' && character === ',') {
      step(closing.at(-1) === '}' ? 'key' : 'item')
    } else {
      const isString = character === '"' && (isKey || isValue)
      const end = isString ? readString(text, at) : isValue ? readBareValue(text, at) : undefined
      if (end === undefined) return strayText(text, at, expected)
      if (typeof end === 'string') return end
      at = end
      expected = isKey ? 'colon' : afterValue()
    }
  }
}

/** Names the format of a text that was not meant as JSON; undefined for one that is not recognised. */
function otherFormat(text: string): string | undefined {
  if (/^\s*</.test(text)) return 'it is XML'
  if (/^--/.test(text)) return 'it is a multipart form'
  return /^\s*(?:[\w.%+[\]-]+=|%7[Bb])/.test(text) ? 'it is a form, or percent-encoded' : undefined
}

/**
 * Says why a text is not JSON: the first place at which it breaks a rule, counted from 0, and what stands there.
 *
 * @param text that is not blank
 * @returns a reason as it follows "body is not JSON: ", which quotes nothing of the text but one character or a known word;
 *   undefined for JSON
 */
export const jsonFault = (text: string): string | undefined => {
  const fault = firstFault(text)
  return fault && (otherFormat(text) ?? fault)
}
