// Signed payments for a queue, and a store for them in memory.
import type { Inclusion, QueuedCommand, QueueStore } from '../../packages/client/src/client.ts'
import type { Chain } from '../../packages/testnet/chain.ts'
import { hashOf, signPayment, wallet } from '../end-to-end/running-service.ts'

/** Payments of a wallet to judy, one for each nonce. */
export const queuedPayments = (
  chain: Chain,
  name: string,
  nonces: readonly number[],
  changes: object = {},
): QueuedCommand[] =>
  nonces.map((nonce) => {
    const options = { nonce: String(nonce), amount: '1000000', ...changes }
    const signed = signPayment(chain, wallet(chain, name), wallet(chain, 'judy'), options)
    return { signed, hash: hashOf(signed) }
  })

/** A store in memory, which notes the ends, and which commands may have been sent. */
export function storeOf(commands: readonly QueuedCommand[]) {
  const open = new Map(commands.map((command) => [command.hash, command]))
  const ends: [hash: string, end: Inclusion][] = []
  const store: QueueStore = {
    commands: async () => [...open.values()].reverse(),
    settle: async ({ hash }, end) => {
      ends.push([hash, end])
      open.delete(hash)
    },
    sending: async (command) => open.set(command.hash, { ...command, maySent: true }),
  }
  const add = (command: QueuedCommand) => open.set(command.hash, command)
  return { store, open, add, ends, states: () => ends.map(([hash, { state }]) => [hash, state]) }
}

/** The service's answer to a broadcast that it did not bring to a node. */
export const notSent = (outcome: 'refused' | 'unknown', code: string, isRetriable: boolean) => {
  const answer = { 'x-broadcast-outcome': outcome, 'x-broadcast-code': code }
  const headers = { ...answer, 'x-broadcast-retriable': String(isRetriable) }
  return new Response('{"message":"No."}', { status: 400, headers })
}
