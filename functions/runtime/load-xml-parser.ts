// Keeps the XML parser out of what a delegation's function loads at its start. In a file by itself, since esbuild writes
// the parser beside every function that could import this.
import type { ParseXml } from './request-body.ts'

/** Loads the parser of XML bodies. */
export const loadXmlParser = async (): Promise<ParseXml> => (await import('./xml-body.ts')).parseXml
