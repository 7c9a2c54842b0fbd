// The only place that knows a node's words. They are matched whole, so that nothing unforeseen is taken for them.

/** What a node's message means to us; undefined means that nobody foresaw it, and that it must not be shown. */
export type NodeWords = 'bootstrapping' | 'block-not-found' | 'refused'

const bootstrapping = [
  /^Could not obtain best chain from transition frontier$/,
  /^Could not obtain transition frontier$/,
  /^Daemon is bootstrapping$/,
]

const blockNotFound = [
  /^Block with state hash \w+ not found in transition frontier$/,
  // the Rust node
  /^Could not find block with hash: `\w+` in transition frontier$/,
]

const sendPrefix = "Couldn't send user command: "
/** The daemon shows the command that it refused, as JSON in one line. */
const commandPrefix = /^Error creating user command: \{.*\} Error: /

const poolRefusals = [
  'Insufficient_funds',
  'Insufficient_replace_fee',
  'Invalid_nonce',
  'Expired',
  'Duplicate',
  'Overloaded',
  'Overflow',
  'Bad_token',
  'Unwanted_fee_token',
  'Fee_payer_account_not_found',
  'Fee_payer_not_permitted_to_send',
  'After_slot_tx_end',
]

const refusals = [
  new RegExp(`^\\["(?:${poolRefusals.join('|')})"\\]$`),
  /^Invalid_signature$/,
  /^Input nonce \d+ either different from inferred nonce \d+ or below minimum_nonce \d+$/,
  /^Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool\.$/,
  /^Invalid user command\. Fee [\d.]+ is less than the minimum fee, [\d.]+\.$/,
  /^Invalid `memo` provided\.$/,
  /^Either field\+scalar or rawSignature must by non-null$/,
  /^rawSignature decoding error$/,
  // an argument that the node cannot read; it shows the input as it came
  /^Argument `\w+` of type `\w+!?` expected on field `send(?:Payment|Delegation)`, found \{[^\n]*\}\.$/,
]

/**
 * What a message of the node's GraphQL means.
 *
 * @param message one entry of `errors`, of an OCaml daemon or a Rust node
 */
export function nodeWords(message: string): NodeWords | undefined {
  const matches = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text))
  if (matches(bootstrapping, message)) return 'bootstrapping'
  if (matches(blockNotFound, message)) return 'block-not-found'
  const reason = message.startsWith(sendPrefix) ? message.slice(sendPrefix.length).replace(commandPrefix, '') : message
  return matches(refusals, reason) ? 'refused' : undefined
}
