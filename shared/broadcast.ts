// Putting a signed command to the node, and saying truly what came of it.
import type { Answer, Ask, Reply } from './endpoint.ts'
import { WireError } from './errors.ts'
import type { NodeCommand } from './mapping/command.ts'
import { nodeWords } from './mapping/node-words.ts'
import type { Operation } from './mapping/wire.ts'

/** A mutation with everything that it is asked with and answered by. */
export interface Submission<Data> {
  readonly mutation: Operation<Data>
  readonly variables: Readonly<Record<string, string>>
  /** The command in the mutation's answer. */
  readonly commandOf: (data: Data) => NodeCommand
  /** The body of a 201. */
  readonly success: (command: NodeCommand) => object
  /** The fixed text of a 400. */
  readonly failureMessage: string
}

const internalError = 'the node reported an internal error'

const unknownOutcome =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'

/** HTTP statuses that stand in for the one that never came. */
const standIn = { timeout: 504, unreachable: 502, unreadable: 502, busy: 503 } as const

const noAnswer = {
  timeout: 'the node did not answer in time',
  unreachable: 'the connection to the node failed',
  unreadable: 'the node gave no readable answer',
  busy: 'the node is busy',
} as const

/**
 * The contract's text of a failed broadcast: code, mutation, and the node's words where they are known ones.
 *
 * @param status of the upstream, or what stands in for it
 */
const failedQuery = (status: number, mutation: Operation, messages: readonly string[]): string =>
  `Query failed to run by returning code of ${status}. ${mutation.document} | ` +
  JSON.stringify(messages.map((message) => ({ message })))

/**
 * Submits a signed command once.
 *
 * @returns 201 with the command as the node holds it, else 400: refused with the node's reason, or with an outcome that
 * nobody can know, and that says so
 */
export async function broadcast<Data>(submission: Submission<Data>, ask: Ask): Promise<Answer> {
  const { mutation, variables, failureMessage } = submission
  const failed = (error: string, note: string): Answer => ({
    status: 400,
    body: { message: failureMessage, error },
    maxAgeSeconds: 0,
    note,
  })

  let reply: Reply
  try {
    reply = await ask(mutation, variables)
    if (reply.errors.length === 0 && reply.data !== undefined && reply.data !== null) {
      const command = submission.commandOf(mutation.data.read(reply.data, mutation.name))
      return { status: 201, body: submission.success(command), maxAgeSeconds: 0 }
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const text = failedQuery(standIn[error.fault], mutation, [noAnswer[error.fault]])
    return failed(`${text} ${unknownOutcome}`, error.message)
  }

  const isRefused = reply.errors.length > 0 && reply.errors.every((message) => nodeWords(message) !== undefined)
  if (isRefused) return failed(failedQuery(reply.status, mutation, reply.errors), 'refused')
  const shown = reply.errors.map((message) => (nodeWords(message) === undefined ? internalError : message))
  const text = failedQuery(reply.status, mutation, shown.length > 0 ? shown : [noAnswer.unreadable])
  return failed(`${text} ${unknownOutcome}`, reply.errors.join(' | ') || `no data, HTTP ${reply.status}`)
}
