// A JSON value as the XML document with the same names.

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

function contentOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value).replace(/[&<>\r]/g, (character) => references[character] ?? '')
  }
  return Object.entries(value)
    .flatMap(([name, item]) =>
      (Array.isArray(item) ? item : [item]).map((one) => `<${name}>${contentOf(one)}</${name}>`),
    )
    .join('\n  ')
}

/** @param value texts and objects; a list becomes an element for each of its items */
export const xmlDocument = (value: object, root = 'delegation'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${contentOf(value)}</${root}>\n`
