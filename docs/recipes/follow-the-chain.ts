import { parseExact } from './parse-exact.ts'

/** The block taken last, and the state hashes under it, the highest first: a reorganisation is undone by them. */
export interface Cursor {
  readonly height: number
  readonly stateHash: string
  readonly below: readonly string[]
}

/** A block on top of the last cursor's, or the loss of that block. Store its cursor together with what you make of it. */
export interface Step {
  readonly added?: Block
  readonly orphaned?: { readonly height: number; readonly stateHash: string }
  readonly cursor: Cursor
}

type Amount = number | bigint

export interface Block {
  readonly stateHash: string
  readonly blockHeight: number
  readonly protocolState: { readonly previousStateHash: string }
  readonly transactions: {
    readonly userCommands: readonly (Command & { from: string; to: string; amount: Amount; isDelegation: boolean })[]
    readonly zkappCommands?: readonly (Command & {
      feePayer: { publicKey: string }
      balanceChanges: readonly Change[]
    })[]
  }
}

interface Command {
  readonly hash: string
  readonly nonce: number
  readonly failureReason?: string
}

interface Change {
  readonly publicKey: string
  readonly tokenId: string
  readonly amount: Amount
}

async function read(url: string) {
  const answer = await fetch(url)
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new Error(`${answer.status}: try again in ${answer.headers.get('retry-after') ?? 5} s`)
  return parseExact(await answer.text())
}

/**
 * The next step above a cursor, among the blocks with so many others on top; undefined if there is none yet. An error
 * passes: ask again with the same cursor, after a restart too. Only where a block was lost whose parent neither the cursor
 * nor the service knows, it says to give an older cursor.
 */
export async function nextStep(url: string, cursor?: Cursor, confirmations = 0): Promise<Step | undefined> {
  const tip = (await read(`${url}/summary`))?.blockchainLength
  if (tip === undefined) throw new Error('no service at this address')
  const canonicalAt = async (height: number) => {
    const block: Block | undefined = (await read(`${url}/blocks/height/${height}`))?.block
    if (!block && tip - height >= 30) throw new Error(`no upstream has block ${height} any more: connect an indexer`)
    return block
  }
  const height = cursor ? cursor.height + 1 : tip - confirmations
  const added = height <= tip - confirmations ? await canonicalAt(height) : undefined
  if (added && (!cursor || added.protocolState.previousStateHash === cursor.stateHash)) {
    const below = cursor ? [cursor.stateHash, ...cursor.below].slice(0, 290) : []
    return { added, cursor: { height, stateHash: added.stateHash, below } }
  }
  if (!cursor) return undefined
  // Only another block in its place shows that a block was lost. A lower tip may be that of a node that lags, or of a hard fork.
  const compared = Math.min(cursor.height, tip)
  const own = [cursor.stateHash, ...cursor.below][cursor.height - compared]
  const inItsPlace = own ? await canonicalAt(compared) : undefined
  if (!inItsPlace || inItsPlace.stateHash === own) return undefined
  const [known, ...below] = cursor.below
  // A first cursor knows no block under it.
  const parent = known ?? (await read(`${url}/blocks/${cursor.stateHash}`))?.block.protocolState.previousStateHash
  if (!parent) throw new Error(`block ${cursor.stateHash} was lost, and nobody knows its parent: give an older cursor`)
  return { orphaned: cursor, cursor: { height: cursor.height - 1, stateHash: parent, below } }
}
