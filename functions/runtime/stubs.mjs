// Replace, in the functions' bundles, what npm packages load and never need: 60 KB of code, and Node's built-in fetch,
// which takes more than half of a cold start to load. What must never run throws.

function refuse() {
  throw new Error('Only GraphQL documents in text form, with excludeOperationName, can be sent from a bundle.')
}

// The package `graphql`: graphql-request imports these for documents that are not text, or whose operation it should name.
export const parse = refuse
export const print = refuse
export const Kind = { OPERATION_DEFINITION: 'OperationDefinition' }

/** The package `is-unsafe`: fast-xml-parser asks it about declared entities, and `xml-body.ts` refuses every document type. */
export function isUnsafe() {
  throw new Error('No document type, and so no declared entity, reaches the XML parser.')
}
export const HTML = 'HTML'
export const XML = 'XML'

// @middy/util imports this from `node:http`, which would load the built-in fetch too.
export const STATUS_CODES = /* @__PURE__ */ (() => process.getBuiltinModule('node:http').STATUS_CODES)()

/** The global would load the built-in fetch. graphql-request needs only this of it: texts by name, in any case. */
export class Headers extends Map {
  constructor(headers = {}) {
    super()
    for (const [name, text] of Object.entries(headers)) this.set(name, text)
  }
  has(name) {
    return super.has(name.toLowerCase())
  }
  get(name) {
    return super.get(name.toLowerCase()) ?? null
  }
  set(name, text) {
    return super.set(name.toLowerCase(), String(text))
  }
}
