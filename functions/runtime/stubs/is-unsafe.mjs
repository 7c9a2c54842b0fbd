// Stands in for the package `is-unsafe` in the functions' bundles: fast-xml-parser asks it about entities that a document
// type declares. `xml-body.ts` refuses every document type before it parses, so none is ever declared, and 18 KB stay
// out of the bundle. A call throws rather than letting something unforeseen through.

export function isUnsafe() {
  throw new Error('No document type, and so no declared entity, reaches the XML parser.')
}

export const HTML = 'HTML'
export const XML = 'XML'
