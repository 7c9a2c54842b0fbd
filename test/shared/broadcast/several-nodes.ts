// A payment broadcast to several scripted nodes.
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { networkCheck } from '../../../shared/upstream/node-query.ts'
import type { NodePort, Reply } from '../../../shared/upstream/query.ts'
import { contextOf, scripted, whole } from '../endpoints/asking.ts'
import { found, notSent, pausingClock, payment } from './broadcast-run.ts'

export type Script = readonly (Partial<Reply> | Error)[]

export interface ScriptedNode {
  readonly sendPayment: Script
  readonly findCommand?: Script
  readonly sharedAddress?: boolean
}

/** The same look at another height of the chain. */
export function at(height: number, { data }: ReturnType<typeof found>) {
  const bestChain = data.bestChain.map((block, index, { length }) => ({
    ...block,
    protocolState: {
      ...block.protocolState,
      consensusState: { ...block.protocolState.consensusState, blockHeight: height - (length - 1 - index) },
    },
  }))
  return { data: { ...data, bestChain } }
}

/** The nodes by the names A to E, and what each was asked. */
export function portsOf(nodes: readonly ScriptedNode[]) {
  const asked: Record<string, string[]> = {}
  const ports = nodes.map(({ sendPayment, findCommand = [], sharedAddress = false }, index): NodePort => {
    const name = 'ABCDE'.charAt(index)
    const query = scripted({ sendPayment, findCommand })
    const questions: string[] = []
    asked[name] = questions
    return {
      name,
      sharedAddress,
      async query(operation, variables, limits) {
        if (operation === networkCheck) return whole({ data: {} })
        questions.push(operation.name)
        return query(operation, variables, limits)
      },
    }
  })
  return { ports, asked }
}

/** Broadcasts to ports; a pause lasts until no node has anything left to do. */
export async function runAt(ports: readonly NodePort[]) {
  const { clock, pauses } = pausingClock()
  const context = contextOf(() => Promise.reject(new Error('not the nodes')), { nodes: ports, clock })
  return { answer: await broadcastTransaction.run(payment, context), pauses }
}

export async function runAtNodes(...nodes: readonly ScriptedNode[]) {
  const { ports, asked } = portsOf(nodes)
  return { ...(await runAt(ports)), asked }
}

/** The answer with the header that counts nodes. */
export const withNodes = <Answer extends { readonly headers: object }>(answer: Answer, took: string) => ({
  ...answer,
  headers: { ...answer.headers, 'x-broadcast-nodes': took },
})

/** The first question of a node is its submission, the others are looks. */
export const node = (submission: Script[number], ...findCommand: Script): ScriptedNode => ({
  sendPayment: [submission],
  findCommand,
})
export const answerOf = async (...nodes: readonly ScriptedNode[]) => (await runAtNodes(...nodes)).answer
export const nonceTaken = (outcome: 'refused' | 'unknown', nonce = '5', canRepeat = true) =>
  notSent(outcome, 'bad-nonce', canRepeat, { 'x-expected-nonce': nonce })

export const lowNonce = found([], [], '5')
