// A payment broadcast against a scripted node, and the answers that may come of it.
import { expect } from '@jest/globals'
import type { Clock } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { contextOf, recordingQuestions, scripted } from '../endpoints/asking.ts'
import { alice, bob, nodeTipWire, paymentWire } from '../mapping/node-wire.ts'

export const memo = ' ä'
export const payload = { to: bob, from: alice, fee: '1000000', nonce: '7', memo, validUntil: '4294967295' }
export const signature = { field: '11', scalar: '22' }
export const body = { publicKey: alice, signature, payload: { ...payload, amount: '10000000000000001' } }
export function inputOf(sent: unknown, endpoint: Pick<typeof broadcastTransaction, 'input'> = broadcastTransaction) {
  const input = endpoint.input({ path: {}, query: {}, body: sent })
  if (input === undefined) throw new Error('a broadcast names nothing by its path')
  return input
}
export const payment = inputOf(body)
export const held = { ...paymentWire, memo: memoFromText(memo) }
export const hash = held.hash

export const accepted = { data: { sendPayment: { payment: held } } }
export const refusedBy = (words: string) => ({ data: null, errors: [words] })
export const badNonce = (inferred: number, ledger: number) =>
  refusedBy(
    `Couldn't send user command: Error creating user command: {} Error: Input nonce 7 either different from inferred nonce ${inferred} or below minimum_nonce ${ledger}`,
  )
export const poolError = (name: string) => refusedBy(`Couldn't send user command: ["${name}"]`)

/** As a look shows a command: with its expiry. */
const shown = (commands: readonly object[]) =>
  commands.map((one) => ({ failureReason: null, validUntil: payload.validUntil, ...one }))

const { consensusState } = nodeTipWire.protocolState
const blockOf = (blocksOnTop: number, userCommands: readonly object[]) => ({
  ...nodeTipWire,
  protocolState: {
    ...nodeTipWire.protocolState,
    consensusState: { blockHeight: Number(consensusState.blockHeight) - blocksOnTop, slotSinceGenesis: 9000 },
  },
  transactions: { userCommands, zkappCommands: [] },
})

export const found = (pool: readonly object[], included: readonly object[] = [], nonce = '7') => ({
  data: {
    pooledUserCommands: shown(pool),
    pooledZkappCommands: [],
    bestChain: [blockOf(1, []), blockOf(0, shown(included))],
    account: { nonce, publicKey: alice },
  },
})
export const nowhere = found([])

export const late = new WireError('timeout', 'too late')
export const cut = new WireError('unreachable', 'reset')
export const unsent = new WireError('unreachable', 'refused', { isUnsent: true })

/** Longer ones are time limits. */
const maxPauseMs = 2500

interface Run {
  readonly sendPayment: readonly (Partial<Reply> | Error)[]
  readonly findCommand?: readonly (Partial<Reply> | Error)[]
  readonly networkName?: readonly (Partial<Reply> | Error)[]
  readonly signatureKind?: readonly (Partial<Reply> | Error)[]
  /** Milliseconds left at each look at the clock. */
  readonly timeLeftMs?: () => number
}

/** A clock on which pauses pass as soon as nothing else can happen, and are kept. */
export function pausingClock(now: () => number = () => 0) {
  const pauses: number[] = []
  const clock: Clock = {
    now,
    elapsed: now,
    after(milliseconds, action) {
      const isWithdrawn = { yet: false }
      setImmediate(() => {
        if (isWithdrawn.yet) return
        if (milliseconds <= maxPauseMs) pauses.push(milliseconds)
        action()
      })
      return () => {
        isWithdrawn.yet = true
      }
    },
  }
  return { clock, pauses }
}

export async function run({ timeLeftMs, ...scripts }: Run) {
  const { clock, pauses } = pausingClock(timeLeftMs && (() => -timeLeftMs()))
  const leftMs = timeLeftMs === undefined ? 60_000 : -clock.now()
  const node = contextOf(scripted({ ...scripts }), { clock, leftMs })
  const { context, asked } = recordingQuestions(node)
  const answer = await broadcastTransaction.run(payment, context)
  return { answer, asked: asked.map(({ operation }) => operation), pauses }
}

export const sent = (outcome: 'accepted' | 'already-known') => ({
  status: 201,
  body: { message: 'Transaction broadcast sucessfully', result: { payment: held } },
  headers: { 'x-broadcast-outcome': outcome, 'x-transaction-hash': hash },
})

export const notSent = (outcome: 'refused' | 'unknown', code: string, retriable: boolean, more: object = {}) => ({
  status: 400,
  body: { message: 'Error in sending transaction', error: expect.any(String) },
  headers: {
    'x-broadcast-outcome': outcome,
    'x-broadcast-code': code,
    'x-broadcast-retriable': String(retriable),
    ...more,
  },
  note: expect.any(String),
})

export const unknownSentence =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'
export const usedNonceSentence =
  'The outcome is unknown: this nonce is used, by this command or by another. Look the command up before signing a new one.'
