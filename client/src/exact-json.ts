// JSON without a lost digit. `JSON.parse` alone rounds integers beyond 2^53, such as the total currency.

type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown
const revive = (text: string, reviver: Reviver): unknown =>
  JSON.parse(text, reviver as (key: string, value: unknown) => unknown)

/** An integer by its digits. A number with a point or an exponent is not an integer, even where its value is whole. */
const asWritten = (source: string): bigint | number => (/^-?\d+$/.test(source) ? BigInt(source) : Number(source))

/** For a runtime whose `JSON.parse` shows the source of each number: Node 22, Chrome 114, Safari 18.4, Firefox 135. */
export const parseWithSource = (text: string): unknown =>
  revive(text, (_key, value, context) => (typeof value === 'number' ? asWritten(context.source) : value))

/** A text, a bracket or a word: all that valid JSON holds apart from blanks, commas and colons. */
const token = /"(?:[^"\\]+|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/g

/** For any other runtime. */
export function parseBySyntax(text: string): unknown {
  // Throws where the syntax is wrong, so that the code below need not check it.
  JSON.parse(text)
  const tokens = text.match(token) ?? []
  let at = 0
  const listUntil = <Item>(end: string, item: () => Item): Item[] => {
    const items: Item[] = []
    while (tokens[at] !== end) items.push(item())
    at++
    return items
  }
  const value = (): unknown => {
    const first = tokens[at++] ?? ''
    if (first === '[') return listUntil(']', value)
    if (first === '{') return Object.fromEntries(listUntil('}', () => [value(), value()]))
    return /^[-\d]/.test(first) ? asWritten(first) : JSON.parse(first)
  }
  return value()
}

/**
 * Parses JSON; every integer becomes a bigint, every other number a number.
 *
 * @throws SyntaxError for text that is not JSON, RangeError for text that is nested too deeply
 */
export const parseExact = (text: string): unknown =>
  (revive('1', (_key, _value, context) => context?.source) ? parseWithSource : parseBySyntax)(text)
