// A program that others wrote against the old service, as one row: its request, what it reads, and what becomes of it.

/** The type into which a program decodes a value. */
export type FieldType = 'text' | 'MINA text' | 'MINA text or null' | 'integer' | 'date' | 'flag' | 'list' | 'nothing'

/** Paths, separated by spaces, by what the program decodes each as; `blocks[].blockHeight` is that of every block. */
export type Fields = Readonly<Partial<Record<FieldType, string>>>

/** A command with its signature, in the forms from which programs make their bodies. */
export interface Signed {
  /** As mina-signer gives it. */
  readonly result: unknown
  readonly publicKey: string
  readonly signature: { readonly field: string; readonly scalar: string }
  /** Of the contract's `payload`; only a payment has an amount. */
  readonly terms: Readonly<Record<'to' | 'from' | 'fee' | 'nonce' | 'memo' | 'validUntil', string>> & {
    readonly amount?: string
  }
  /** As a daemon takes it, the least significant byte of each half first. */
  readonly raw: string
  /** As a Ledger device gives it. */
  readonly rawOfDevice: string
}

/** A body of JSON, or a text that is posted as it is. */
export type MakeBody = (signed: Signed) => object | string

export type Kind = 'payment' | 'delegation'

/** Details that most rows leave out. */
interface More {
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  /** The text of the answer's body matches it. */
  readonly holds?: RegExp
  /** Why the program does not work. */
  readonly cannot?: string
  /** The paths that the answer does not have as the program decodes them. */
  readonly unread?: readonly string[]
  /** It works where the stage has this. */
  readonly unless?: 'an indexer' | 'lenientPayload'
  /** mina-signer by its version, or its `signRosettaTransaction`; by default 4.0. */
  readonly signer?: '1.7' | '2.1' | '3.1' | '4.0' | 'Rosetta'
  /** Terms that the program signs otherwise. */
  readonly terms?: Partial<Signed['terms']>
}

export interface Client extends More {
  readonly program: string
  readonly method: 'GET' | 'POST'
  /** `{account}`, `{payer}` (with a pending payment) and `{block}` are on the chain; `{nobody}` and `{noBlock}` are not. */
  readonly path: string
  readonly status: number
  readonly reads: Fields
  /** The outcome that the program's author expects. */
  readonly expects: string
  /** Of a POST. */
  readonly sent?: { readonly kind: Kind; readonly body: MakeBody }
}

export const json = { headers: { 'content-type': 'application/json' } }
/** A page of another origin; what it posts is text/plain. */
export const page = { headers: { origin: 'https://wallet.example' } }

/** The paths of fields under another. */
export const of = (start: string, fields: string): string => fields.replace(/\S+/g, (field) => `${start}.${field}`)

export const get = (program: string, path: string, reads: Fields, expects: string, more: More = {}): Client => ({
  ...{ program, method: 'GET', path, status: 200, reads, expects },
  ...more,
})

const paths = { payment: '/broadcast/transaction', delegation: '/broadcast/delegation' }

/** Sends a command, by default to its own path, and expects 201 with its hash and id. */
export function post(
  program: string,
  kind: Kind,
  body: MakeBody,
  more: More & Partial<Pick<Client, 'path' | 'reads' | 'expects'>> = {},
): Client {
  const { path = paths[kind], status = 201, expects = '201' } = more
  const reads = { text: status === 201 ? `message result.${kind}.hash result.${kind}.id` : 'message error' }
  return { reads, ...more, program, method: 'POST', path, status, expects, sent: { kind, body } }
}
