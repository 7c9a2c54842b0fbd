// Says where a text stops being JSON, and what stands there. The messages of JSON.parse name no place in a short text, and
// quote the body, signature included.

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literal = /true|false|null/y
const string = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y

/** What stands behind the digits of a number that the end of the text cuts off. */
const cutNumber = /^(?:\.|[eE][+-]?)$/

/** An escape that the end of the text cuts off. */
const cutEscape = /\\(?:u[\dA-Fa-f]{0,3})?$/y

/** What programs of other languages print in place of a value or a text. */
const foreignWord = /(?:[Nn]a[Nn]|-?Infinity|undefined|None|True|False|ObjectId)\b/y
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const comment = /\/[/*]/y

/** Where a pattern that begins at a place ends; undefined where it does not fit. */
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

interface Fault {
  /** In UTF-16 units, from 0. */
  readonly at: number
  /** As it follows "body is not JSON: ". */
  readonly problem: string
}

/** The kinds of things that may stand next, outside a value. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const wanted: Readonly<Record<Expected, string>> = {
  value: 'a value is expected',
  'first value': 'a value or ] is expected',
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

/** A character that stands where none of its kind may, and advice where its writer needs some. */
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

/** What stands at a place where something else is expected. */
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

/** Reads a string from its opening quote. */
function readString(text: string, at: number): number | Fault {
  const end = endOf(string, text, at) ?? at
  if (text[end] === '"') return end + 1
  const isCut = end >= text.length || endOf(cutEscape, text, end) !== undefined
  if (isCut) return { at: text.length, problem: tooEarly }
  if (text[end] === '\\') return { at: end, problem: `an unknown escape at position ${end}` }
  const character = text[end] ?? ''
  const name = character === '\0' ? 'a NUL character' : `the control character ${codePointOf(character)}`
  return { at: end, problem: `${name} inside a string at position ${end}: it must be escaped` }
}

/** Walks a text from its first character until it breaks a rule. Without recursion: a body may be 8,000 levels deep. */
class Scanner {
  readonly #text: string
  readonly #open: ('{' | '[')[] = []
  #expected: Expected = 'value'
  #at = 0
  /** Place of the comma before the present token. */
  #comma = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The first fault; undefined for JSON. */
  fault(): Fault | undefined {
    for (;;) {
      this.#at = endOf(space, this.#text, this.#at) ?? this.#at
      if (this.#at >= this.#text.length) {
        return this.#expected === 'end' ? undefined : { at: this.#at, problem: tooEarly }
      }
      const fault = this.#read(this.#text[this.#at] ?? '')
      if (fault !== undefined) return fault
    }
  }

  #stray(): Fault {
    return { at: this.#at, problem: strayText(this.#text, this.#at, this.#expected) }
  }

  #read(character: string): Fault | undefined {
    switch (this.#expected) {
      case 'key':
      case 'first key':
        return character === '"' ? this.#readString('colon') : this.#close(character)
      case 'colon':
        return character === ':' ? this.#step('value') : this.#stray()
      case 'comma':
        return character === ',' ? this.#readComma() : this.#close(character)
      case 'end':
        return this.#stray()
      case 'value':
      case 'first value':
        return this.#readValue(character)
    }
  }

  #step(expected: Expected): undefined {
    this.#at += 1
    this.#expected = expected
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'end' : 'comma'
  }

  #readComma(): undefined {
    this.#comma = this.#at
    this.#step(this.#open.at(-1) === '{' ? 'key' : 'value')
  }

  /** A bracket that closes the innermost one. */
  #close(character: string): Fault | undefined {
    const isClosing = character === (this.#open.at(-1) === '{' ? '}' : ']') && this.#open.length > 0
    if (!isClosing) return this.#stray()
    if (this.#expected === 'key' || this.#expected === 'value') {
      return { at: this.#comma, problem: `a trailing comma at position ${this.#comma}` }
    }
    this.#open.pop()
    this.#step(this.#afterValue())
    return undefined
  }

  #readString(next: Expected): Fault | undefined {
    const end = readString(this.#text, this.#at)
    if (typeof end !== 'number') return end
    this.#at = end
    this.#expected = next
    return undefined
  }

  #readValue(character: string): Fault | undefined {
    if (character === '{' || character === '[') {
      this.#open.push(character)
      this.#step(character === '{' ? 'first key' : 'first value')
      return undefined
    }
    if (character === '"') return this.#readString(this.#afterValue())
    if (isCutOff(this.#text, this.#at)) return { at: this.#text.length, problem: tooEarly }
    const end = endOf(literal, this.#text, this.#at) ?? endOf(number, this.#text, this.#at)
    if (end === undefined) return character === ']' ? this.#close(character) : this.#stray()
    this.#at = end
    this.#expected = this.#afterValue()
    return undefined
  }
}

/** What a text is that was not meant as JSON; undefined where nothing tells. */
function otherFormat(text: string): string | undefined {
  if (/^\s*</.test(text)) return 'it is XML'
  if (/^--/.test(text)) return 'it is a multipart form'
  return /^\s*(?:[\w.%+[\]-]+=|%7[Bb])/.test(text) ? 'it is a form, or percent-encoded' : undefined
}

/**
 * Why a text is not JSON: the first place at which it breaks a rule, counted from 0, and what stands there.
 *
 * @param text that is not blank
 * @returns a reason as it follows "body is not JSON: ", which quotes nothing of the text but one character or a known word;
 *   undefined for JSON
 */
export const jsonFault = (text: string): string | undefined => {
  const fault = new Scanner(text).fault()
  return fault && (otherFormat(text) ?? fault.problem)
}
