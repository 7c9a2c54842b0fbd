// Stand-ins for the port: an upstream in one line, and what it was asked.
import type { Ask, Reply } from '../../../shared/endpoint.ts'

/** Answers every question with the same reply. */
export const replying =
  (reply: Partial<Reply>): Ask =>
  async () => ({ status: 200, data: undefined, errors: [], ...reply })

/** As `replying`, and keeps the questions. */
export function recording(reply: Partial<Reply>) {
  const asked: { readonly operation: string; readonly variables: object }[] = []
  const ask: Ask = (operation, variables) => {
    asked.push({ operation: operation.name, variables })
    return replying(reply)(operation, variables)
  }
  return { ask, asked }
}

/** Fails every question. */
export const failing =
  (error: Error): Ask =>
  async () => {
    throw error
  }
