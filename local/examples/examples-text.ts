import { examples } from './examples.ts'

/** The text of the file with the examples. */
export const examplesText = async (): Promise<string> => `${JSON.stringify(await examples(), null, 2)}\n`
