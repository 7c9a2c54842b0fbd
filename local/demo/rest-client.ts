// The HTTP requests of the demo.
import { setTimeout as wait } from 'node:timers/promises'
import type { AccountResponse } from '../../shared/contract/account.ts'
import type { Block, BlocksResponse } from '../../shared/contract/block.ts'

export type Account = AccountResponse['account']

const pollMs = 500

async function get<Body>(url: string): Promise<Body> {
  const response = await fetch(url)
  const body = await response.text()
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}: ${body}`)
  return JSON.parse(body)
}

export const readAccount = async (url: string, publicKey: string): Promise<Account> =>
  (await get<AccountResponse>(`${url}/accounts/${publicKey}`)).account

export const readLatestBlocks = async (url: string, limit: number): Promise<readonly Block[]> =>
  (await get<BlocksResponse>(`${url}/blocks?limit=${limit}`)).blocks

/** An accepted broadcast. */
export interface Broadcast {
  readonly hash: string
  /** `accepted`, or `already-known` where the service found the command after its answer was lost. */
  readonly outcome: string
}

/**
 * Posts a signed command.
 *
 * @throws Error with the service's answer when the command is not accepted
 */
export async function postCommand(url: string, path: string, body: object): Promise<Broadcast> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  const { payment, delegation } = answer.result
  const outcome = response.headers.get('x-broadcast-outcome') ?? 'accepted'
  return { hash: (payment ?? delegation).hash, outcome }
}

/**
 * Waits for the block that includes a command.
 *
 * @throws Error when none of the latest blocks holds it by the deadline
 */
export async function blockWith(url: string, hash: string, deadlineMs: number): Promise<Block> {
  while (performance.now() < deadlineMs) {
    for (const block of await readLatestBlocks(url, 10)) {
      if (block.transactions?.userCommands?.some((command) => command.hash === hash)) return block
    }
    await wait(pollMs)
  }
  throw new Error(`No block held ${hash} in time; it may still be included.`)
}
