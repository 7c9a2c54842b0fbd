// The only place that knows a node's error texts. They are matched whole, so that no unforeseen text passes for one.
//
// Sources of the texts. The daemon, MinaProtocol/mina:
//   src/lib/mina_graphql/mina_graphql.ml              bootstrapping, block not found, fee, memo, the prefix
//   src/lib/mina_graphql/types.ml                     signature that cannot be decoded
//   src/lib/user_command_input/user_command_input.ml  nonce, unknown sender, Invalid_signature
//   src/lib/network_pool/transaction_pool.ml          verification, and the names of the pool's errors
//   andreas/ocaml-graphql-server, graphql/src/graphql_schema.ml  arguments that cannot be read
// The Rust node, o1-labs/mina-rust:
//   node/native/src/graphql/mod.rs                    block not found, "Transaction rejected"
//   ledger/src/transaction_pool.rs                    the names of the pool's errors
import type { RefusalCode } from '../contract/broadcast-codes.ts'

/** The meaning of a node's message. */
export type NodeError =
  /** `not-taken`: the pool turned a command away before it took it, for a reason that may be the node's own. */
  | { readonly kind: 'bootstrapping' | 'block-not-found' | 'not-taken' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly nonces?: ExpectedNonces }

/** The range of nonces that the node takes, from the ledger's to the one after its pool. */
export interface ExpectedNonces {
  readonly ledger: bigint
  readonly inferred: bigint
}

const bootstrapping = [
  /^Could not obtain best chain from transition frontier$/,
  /^Could not obtain transition frontier$/,
  /^Daemon is bootstrapping$/,
]

const noFrontierYet =
  /^We don't have a transition frontier at the moment, so we're unable to verify any transactions\.$/
const noFrontierForPool = /^Got transaction pool diff when transitin frontier is unavailable, ignoring\.$/

/** The pool verifies a command before it takes it, and reports a failure as an S-expression. */
function verificationError(reason: string): NodeError | undefined {
  if (noFrontierForPool.test(reason)) return { kind: 'bootstrapping' }
  if (/^\(Verification_failed "Invalid_signature: \[[^"\n]*\]"\)$/.test(reason)) {
    return { kind: 'refused', code: 'invalid-signature' }
  }
  const said = /^\((?:failure|invalid) "(?<text>.*)"\)$/s.exec(reason)?.groups?.text
  if (said !== undefined) return { kind: noFrontierYet.test(said) ? 'bootstrapping' : 'not-taken' }
  return /^\((?:failure|invalid) .*\)$/s.test(reason) ? { kind: 'not-taken' } : undefined
}

const blockNotFound = [
  /^Block with state hash (\w+) not found in transition frontier$/,
  // the Rust node
  /^Could not find block with hash: `(\w+)` in transition frontier$/,
]

const heightNotFound = [
  /^Could not find block in transition frontier with height (\d{1,15})$/,
  // the Rust node
  /^Could not find block with height: `(\d{1,15})` in transition frontier$/,
]

const sendPrefix = "Couldn't send user command: "
/** The daemon quotes the refused command as JSON in one line. */
const commandPrefix = /^Error creating user command: \{.*\} Error: /
/** The Rust node's own message, before the pool's. */
const rejectedPrefix = 'Transaction rejected: '

/** The pool's errors, in lower case without underscores: the daemon writes `Bad_token`, the Rust node `BadToken`. */
const poolErrors: Readonly<Record<string, RefusalCode>> = {
  insufficientfunds: 'insufficient-funds',
  insufficientreplacefee: 'replace-fee-too-low',
  invalidnonce: 'bad-nonce',
  expired: 'expired',
  duplicate: 'duplicate',
  overloaded: 'pool-overloaded',
  overflow: 'overflow',
  feepayeraccountnotfound: 'sender-unknown',
  badtoken: 'bad-token',
  unwantedfeetoken: 'unwanted-fee-token',
  feepayernotpermittedtosend: 'sender-not-permitted',
  afterslottxend: 'network-paused',
  invalidcurrencyconsumed: 'overflow',
}

const nonceWords =
  /^Input nonce \d+ either different from inferred nonce (?<inferred>\d+) or below minimum_nonce (?<ledger>\d+)$/

const sentences: readonly (readonly [RegExp, RefusalCode])[] = [
  [/^Invalid_signature$/, 'invalid-signature'],
  [
    /^Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool\.$/,
    'sender-unknown',
  ],
  [/^Invalid user command\. Fee [\d.]+ is less than the minimum fee, [\d.]+\.$/, 'fee-too-low'],
  [/^Invalid `memo` provided\.$/, 'memo-too-long'],
  [/^Either field\+scalar or rawSignature must by non-null$/, 'invalid-request'],
  [/^rawSignature decoding error$/, 'invalid-request'],
  // The node quotes the input that it cannot read.
  [
    /^Argument `\w+` of type `\w+!?` expected on field `send(?:Payment|Delegation)`, found \{[^\n]*\}\.$/,
    'invalid-request',
  ],
]

function refusalOf(reason: string): NodeError | undefined {
  const { inferred, ledger } = nonceWords.exec(reason)?.groups ?? {}
  if (inferred !== undefined && ledger !== undefined) {
    return { kind: 'refused', code: 'bad-nonce', nonces: { ledger: BigInt(ledger), inferred: BigInt(inferred) } }
  }
  const poolError = /^(?:\["(?<daemon>[A-Z]\w+)"\]|(?<rust>[A-Z][A-Za-z]+))$/.exec(reason)?.groups
  const name = (poolError?.daemon ?? poolError?.rust ?? '').replaceAll('_', '').toLowerCase()
  const code = Object.hasOwn(poolErrors, name)
    ? poolErrors[name]
    : sentences.find(([pattern]) => pattern.test(reason))?.[1]
  return code === undefined ? undefined : { kind: 'refused', code }
}

/** The state of the node's frontier, by a message: it does not exist yet, or does not hold a block. */
export function frontierError(message: string): 'bootstrapping' | 'block-not-found' | undefined {
  if (bootstrapping.some((pattern) => pattern.test(message))) return 'bootstrapping'
  return missingBlock(message) === undefined ? undefined : 'block-not-found'
}

/** The state hash of a block that the node does not hold, by its message; undefined for other texts. */
export const missingBlock = (message: string): string | undefined =>
  blockNotFound.map((pattern) => pattern.exec(message)?.[1]).find((stateHash) => stateHash !== undefined)

/** The height at which the node finds no block, by its message; undefined for other texts. */
export function missingHeight(message: string): number | undefined {
  const height = heightNotFound.map((pattern) => pattern.exec(message)?.[1]).find((digits) => digits !== undefined)
  return height === undefined ? undefined : Number(height)
}

/**
 * The meaning of a message of the node's GraphQL.
 *
 * @param message one entry of `errors`, of an OCaml daemon or a Rust node
 * @returns undefined for an unknown text, which must not be shown
 * @example
 * classifyNodeError(`Couldn't send user command: ["Expired"]`) // { kind: 'refused', code: 'expired' }
 */
export function classifyNodeError(message: string): NodeError | undefined {
  const kind = frontierError(message)
  if (kind !== undefined) return { kind }
  if (message.startsWith(sendPrefix)) {
    const reason = message.slice(sendPrefix.length).replace(commandPrefix, '')
    return verificationError(reason) ?? refusalOf(reason)
  }
  return refusalOf(message.startsWith(rejectedPrefix) ? message.slice(rejectedPrefix.length) : message)
}

/** True for a message about a field, type or argument that the schema does not have, in the words of juniper or graphql-js. */
export const isUnknownName = (message: string): boolean =>
  /\b(?:unknown (?:field|type|argument)|cannot query field)\b/i.test(message)

/** True for a message about a query, or a field of one, that the node does not have, whichever library words it. */
export const isUnknownQuery = (message: string): boolean =>
  isUnknownName(message) || /\bField '\w+' is not defined on type '\w+'/.test(message)

/** True if the node does not know the query, since it is older than the field. */
export const lacksQuery = (failure: string, field: string): boolean =>
  failure.includes(`Field '${field}' is not defined on type 'query'`)
