// The network's name, and the name to sign for: what a sender with a wrong signature needs to know.
import { nodeQuery } from '../../upstream/node-query.ts'
import { operation } from '../../upstream/operation.ts'
import { networkId, shape, signatureKindText, type Wire } from '../../upstream/wire.ts'
import type { ChainView } from '../port.ts'

export const networkNameQuery = /* @__PURE__ */ operation(
  'node',
  'query',
  'networkName',
  '',
  /* @__PURE__ */ shape({ networkID: networkId }),
  {
    needsNoTip: true,
  },
)

/** A separate document: a daemon that is older than the field refuses the whole document. */
export const signatureKindQuery = nodeQuery(
  'signatureKind',
  '',
  { signatureKind: signatureKindText },
  { needsNoTip: true, mayBeUnknown: true },
)

/** The longest that these may delay an answer. */
const maxMs = 1000

/** The name as the node has it, such as `mina:mainnet`; undefined if it gives none in time. */
export async function askNetworkName(chain: ChainView, node: number): Promise<string | undefined> {
  const { name, data } = networkNameQuery
  const outcome = await chain.call(node, networkNameQuery, {}, { limitMs: maxMs, isRepeat: true })
  return outcome.kind === 'answer' ? data.read(outcome.data, name).networkID : undefined
}

/** A daemon writes this before the name of any kind but the two that every daemon knows. */
const prefixOfOthers = 'other network: '

/** mina-signer takes these for the known networks, so it cannot sign for another network with such a name. */
const reservedNames: readonly string[] = ['mainnet', 'testnet', 'devnet']

function nameToSignFor(kind: string): string | undefined {
  if (!kind.startsWith(prefixOfOthers)) return kind
  const name = kind.slice(prefixOfOthers.length)
  return reservedNames.includes(name) ? undefined : name
}

/**
 * The name to sign for on a node's network, which may differ from the network's own: `mainnet`, `testnet`, or a name
 * that mina-signer takes as `{ custom: name }`.
 *
 * @returns undefined if the node does not answer in time; without a name if the node does not know the question, or
 *   mina-signer cannot sign for its network
 */
export async function askSignatureKind(
  chain: ChainView,
  node: number,
): Promise<{ readonly name?: string | undefined } | undefined> {
  const outcome = await chain.call(node, signatureKindQuery, {}, { limitMs: maxMs, isRepeat: true })
  if (outcome.kind === 'failure') return undefined
  return outcome.isMissing
    ? {}
    : { name: nameToSignFor((outcome.data as Wire<typeof signatureKindQuery.data>).signatureKind) }
}
