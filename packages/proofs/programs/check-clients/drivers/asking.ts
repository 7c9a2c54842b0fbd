// The work of every driver in TypeScript: it sends each request by its client. Arguments: address of the service, file of requests.
import { readFileSync } from 'node:fs'

interface Block {
  readonly stateHash: string
  readonly blockHeight: number
  readonly protocolState: { readonly consensusState: { readonly totalCurrency: number | bigint } }
}

/** A generated client behind one face. Each method throws where the service does not answer with success. */
export interface Client<Payment, Delegation> {
  newest(): Promise<Block>
  block(stateHash: string): Promise<Block>
  blockAt(height: number): Promise<Block>
  account(publicKey: string): Promise<{ readonly publicKey: string }>
  height(): Promise<number>
  transaction(hash: string): Promise<{ state: string; command?: { amount?: number | bigint | undefined } | undefined }>
  /** The status of the answer about a command that nobody knows. */
  statusOf(hash: string): Promise<number | undefined>
  pay(body: Payment): Promise<string>
  delegate(body: Delegation): Promise<string>
}

/** Prints what the client reads and sends. */
export async function ask<Payment, Delegation>(
  clientAt: (address: string) => Client<Payment, Delegation>,
): Promise<void> {
  const [address = '', file = ''] = process.argv.slice(2)
  const requests = JSON.parse(readFileSync(file, 'utf8'))
  const client = clientAt(address)
  const block = await client.newest()
  console.log('currency', String(block.protocolState.consensusState.totalCurrency))
  const reading = async (word: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      console.log(word, await read())
    } catch (error) {
      console.log('failed', word, error)
    }
  }
  await reading('hash', async () => (await client.block(block.stateHash)).stateHash)
  await reading('account', async () => (await client.account(requests.publicKey)).publicKey)
  await reading('height', () => client.height())
  await reading('at', async () => (await client.blockAt(block.blockHeight)).stateHash)
  await reading('fate', async () => {
    const { state, command } = await client.transaction(requests.included)
    return `${state} ${command?.amount}`
  })
  await reading('missing', () => client.statusOf(requests.missing))
  for (const { kind, form, body } of requests.broadcasts) {
    try {
      console.log('sent', kind, form, await (kind === 'payment' ? client.pay(body) : client.delegate(body)))
    } catch (error) {
      console.log('failed', kind, form, String(error))
    }
  }
}

/** The value, where a client has read one. */
export function success<Data>(data: Data | undefined, failure: unknown): Data {
  if (data === undefined) throw new Error(JSON.stringify(failure))
  return data
}

/** The value of an answer that a client gives beside a failure. */
export async function given<Data>(answer: Promise<{ readonly data?: Data; readonly error?: unknown }>): Promise<Data> {
  const { data, error } = await answer
  return success(data, error)
}
