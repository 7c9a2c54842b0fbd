// The network by its name, and the name to sign for: what a sender needs to know whose signature is wrong.
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

/** In a document by itself: a daemon that is older than the field refuses the whole document. */
export const signatureKindQuery = nodeQuery(
  'signatureKind',
  '',
  { signatureKind: signatureKindText },
  { needsNoTip: true, mayBeUnknown: true },
)

/** No answer is held up for long by these. */
const maxMs = 1000

/** The name as the node has it, such as `mina:mainnet`; undefined where it gives none in time. */
export async function askNetworkName(chain: ChainView, node: number): Promise<string | undefined> {
  const { name, data } = networkNameQuery
  const outcome = await chain.call(node, networkNameQuery, {}, { limitMs: maxMs, isRepeat: true })
  return outcome.kind === 'answer' ? data.read(outcome.data, name).networkID : undefined
}

/** A daemon writes this before the name of any other kind than the two that every daemon knows. */
const prefixOfOthers = 'other network: '

/** mina-signer signs for known networks by these, so that it cannot sign for another one that has such a name. */
const reservedNames: readonly string[] = ['mainnet', 'testnet', 'devnet']

function nameToSignFor(kind: string): string | undefined {
  if (!kind.startsWith(prefixOfOthers)) return kind
  const name = kind.slice(prefixOfOthers.length)
  return reservedNames.includes(name) ? undefined : name
}

/**
 * The name to sign for on a node's network, whose own name may be another one: `mainnet`, `testnet`, or a name that mina-signer
 * takes as `{ custom: name }`.
 *
 * @returns undefined where the node does not answer in time; without a name from a node that is older than the question, and
 *   for a network that mina-signer cannot sign for
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
