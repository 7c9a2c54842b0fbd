// What each operation does, for readers of the OpenAPI document.
import type { EndpointName } from './responses.ts'

const broadcast =
  'The answer is true: 201 only if a node held the command when it was asked, and 400 says in `x-broadcast-outcome` whether it was refused or whether its outcome cannot be known yet. Sending the same signed command again is always safe. The body may have the shape of the contract, be the result of mina-signer as it is, or carry a raw signature.'

export const descriptions: Readonly<Record<EndpointName, string>> = {
  broadcastTransaction: `Sends a signed payment to the network. ${broadcast}`,
  broadcastDelegation: `Sends a signed stake delegation to the network. ${broadcast}`,
  getBlocks:
    'The blocks at the end of the best chain, with their payments, delegations and fee transfers. zkApp commands are counted, not listed. Poll with the last `etag` in `if-none-match`: as long as there is no new block, the answer is a 304 without a body.',
  getBlock:
    'One block by its state hash: any that the node holds, forks too, whose `canonical` is false; with an indexer also any older one. A failed command is listed with its `failureReason`; only its fee was charged.',
  getAccount:
    'Balance, nonce, delegate and pending commands of an account at the best tip, and with an indexer its stake, its delegators and its counters. A field that no upstream knows is absent.',
  getSummary:
    'Height, epoch, slot, ledgers and supply at the best tip. The cheapest way to see whether there is a new block.',
}
