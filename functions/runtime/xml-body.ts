// An XML document as the JSON value with the same names. Loaded when an XML body comes, which few callers send; it imports
// nothing of ours, so that esbuild writes it as one file beside the function that loads it.
import { XMLParser } from 'fast-xml-parser'

/** A piece of text under `#text`, or an element's content under its name. */
type Node = Readonly<Record<string, string | readonly Node[]>>

/** The contents of an element: text, or elements by name, those that share a name as a list. */
type Content = string | { readonly [name: string]: Content | readonly Content[] }

/** Opening, closing, comments and all. A signed delegation has 24. */
const maxTags = 200

const maxOpenElements = 8

/** The characters that XML 1.0 allows in a document, by themselves or by number. */
const allowed = /^[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u

/** Document types and their contents. Text that looks like one can be written with `&lt;`. */
const declaration = /<!(?!--|\[CDATA\[)/

const reference = /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(\w{1,8}));|&/g

const predefined = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

function characterOf(_reference: string, decimal?: string, hexadecimal?: string, name = ''): string {
  const code = decimal ?? (hexadecimal && `0x${hexadecimal}`)
  const character = code === undefined ? predefined.get(name) : String.fromCodePoint(Number(code))
  if (character === undefined || !allowed.test(character)) throw new SyntaxError('unknown reference')
  return character
}

const parser = new XMLParser({
  preserveOrder: true,
  // Signed values must not change: "0012" stays text, and blanks in a memo count.
  parseTagValue: false,
  trimValues: false,
  ignorePiTags: true,
  maxNestedTags: maxOpenElements - 1,
  // The parser's own decoder leaves unknown references as they are, numeric ones included.
  entityDecoder: {
    decode: (text) => text.replace(reference, characterOf),
    addInputEntities: () => undefined,
    setExternalEntities: () => undefined,
    setXmlVersion: () => undefined,
    reset: () => undefined,
  },
})

function contentOf(nodes: readonly Node[]): Content {
  const elements = new Map<string, Content[]>()
  let text = ''
  for (const [name, value] of nodes.flatMap((node) => Object.entries(node))) {
    if (typeof value === 'string') text += value
    else elements.set(name, [...(elements.get(name) ?? []), contentOf(value)])
  }
  if (elements.size === 0) return text
  if (text.trim() !== '') throw new SyntaxError('text beside elements')
  return Object.fromEntries(
    [...elements].map(([name, [first = '', ...others]]) => [name, others.length === 0 ? first : [first, ...others]]),
  )
}

function rootOf(xml: string): Content {
  if (!allowed.test(xml) || declaration.test(xml)) throw new SyntaxError('a character or declaration')
  if (xml.split('<', maxTags + 2).length > maxTags + 1) throw new SyntaxError('too many tags')
  const nodes: readonly Node[] = parser.parse(xml, true)
  const document = contentOf(nodes)
  const [root, ...others] = typeof document === 'string' ? [] : Object.values(document).flat()
  if (root === undefined || others.length > 0) throw new SyntaxError('not one root')
  return root
}

/**
 * The content of the document's only root, whatever its name: each element is a key, its text an unchanged string.
 * Attributes, comments and processing instructions are ignored.
 *
 * @returns undefined for text that is not well-formed, is nested too deep or has too many tags, has a document type,
 *   another entity than XML's own five, text beside elements, or an element whose name every object has (`__proto__`)
 */
export function parseXml(xml: string): Content | undefined {
  try {
    return rootOf(xml)
  } catch {
    // The parser's message may quote the body, signature included.
    return undefined
  }
}
