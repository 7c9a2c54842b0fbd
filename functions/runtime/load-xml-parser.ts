// Keeps the XML parser out of what a delegation's function loads at start-up. A separate file, because esbuild writes
// the parser beside every function that could import this.
import type { ParseXml } from './request-body.ts'

export const loadXmlParser = async (): Promise<ParseXml> => (await import('./xml-body.ts')).parseXml
