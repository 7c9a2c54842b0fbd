/** A string of the broadcast, block and summary schemas: the contract gives each at least one character. */
export const text = { type: 'string', minLength: 1 } as const

/** A string of the account, for which the contract states no minimum length. */
export const anyText = { type: 'string' } as const

/** The contract's `number`: all that it shows are whole. The format keeps generated clients from using 32 bits. */
export const number = { type: 'integer', format: 'int64' } as const

export const flag = { type: 'boolean' } as const

/** A public key, in the schemas whose strings have at least one character. */
export const publicKey = { ...text, description: 'public key: base58check, 55 characters, B62…' } as const

export const stateHash = { ...text, description: 'state hash: base58check, 52 characters, 3N…' } as const

export const ledgerHash = { ...text, description: 'ledger hash: base58check, 51 characters, j…' } as const

export const height = { ...number, description: 'height, counted over hard forks' } as const

export const epochNumber = { ...number, description: 'counted from the last hard fork' } as const

export const minWindowDensity = {
  ...number,
  description: 'the fewest blocks in any window of slots since the last hard fork: how long-range forks are compared',
} as const

/** An integer amount in nanomina (10^-9 MINA); its digits are exact beyond 2^53. */
export const nanominaNumber = { ...number, 'x-unit': 'nanomina', description: 'nanomina' } as const

export const nanominaText = { ...text, 'x-unit': 'nanomina', description: 'nanomina, decimal digits' } as const

export const minaText = { ...text, 'x-unit': 'MINA', description: 'MINA, with nine decimals' } as const

export const isoTime = { ...text, description: 'ISO-8601, UTC, with milliseconds' } as const

export const millisecondTime = { ...number, description: 'milliseconds since 1970' } as const

/** The block that holds a command. */
export const blockOfCommand = {
  blockHeight: { ...height, description: 'height of the block that holds the command' },
  blockStateHash: { ...stateHash, description: 'state hash of that block' },
  dateTime: { ...isoTime, description: 'time of that block: ISO-8601, UTC, with milliseconds' },
} as const

export const reasonOfFailure = {
  ...text,
  description:
    'Why the command failed on the chain, in the words of the upstream: its fee was charged, and nothing else of it happened. Absent from a command that was applied.',
} as const

/** The result of a command in a block. */
export const commandStatus = {
  type: 'string',
  enum: ['applied', 'failed'],
  description:
    '`applied`, or `failed`: then its fee was charged, nothing else of it happened, and `failureReason` says why. There will be no other value.',
} as const

/** An account of which only the public key is shown. */
export const publicKeyOnly = {
  type: 'object',
  properties: { publicKey },
  required: ['publicKey'],
} as const
