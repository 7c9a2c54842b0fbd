import { parseExact } from './parse-exact.ts'

/** The block taken last, and the state hashes below it, the highest first, by which a reorganisation is undone. */
export interface Cursor {
  readonly height: number
  readonly stateHash: string
  readonly below: readonly string[]
}

/** A block on top of the last cursor's, or the loss of that block. */
export interface Step {
  readonly added?: Block
  readonly orphaned?: { readonly height: number; readonly stateHash: string }
  readonly cursor: Cursor
}

/** The k of mainnet and devnet: no reorganisation there goes deeper. */
const maxBelow = 290

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

/** A body, and the height of the tip on which it rests. */
async function read(url: string) {
  const answer = await fetch(url)
  if (!answer.ok && answer.status !== 404)
    throw new Error(`${answer.status}: try again in ${answer.headers.get('retry-after') ?? 5} s`)
  const tip = Number(answer.headers.get('x-chain-height') ?? 0)
  if (!(tip > 0)) throw new Error('the answer does not name its tip: x-chain-height is missing')
  return { tip, body: answer.ok ? parseExact(await answer.text()) : undefined }
}

/**
 * Returns the next step above a cursor, counting only blocks with `confirmations` others on top; undefined if there is none
 * yet. Each block's depth is counted from the tip in its own answer: the next answer may come from another daemon. After an
 * error, call again with the same cursor, unless the error asks for an older one.
 */
export async function nextStep(url: string, cursor?: Cursor, confirmations = 0): Promise<Step | undefined> {
  if (!Number.isSafeInteger(confirmations) || confirmations < 0) throw new RangeError('confirmations: 0, 1, 2 …')
  const { body: summary } = await read(`${url}/summary`)
  if (summary === undefined) throw new Error('no service at this address')
  // Where to look. Nothing is counted from it.
  const highest: number = summary.blockchainLength - confirmations
  /** Undefined where the tips of four answers were too low: some daemon may be stuck. */
  const deepAt = async (height: number): Promise<{ block?: Block } | undefined> => {
    for (let asked = 0; asked < 4; asked++) {
      const { tip, body } = await read(`${url}/blocks/height/${height}`)
      if (tip < height + confirmations) continue
      if (!body && tip - height >= 30) throw new Error(`no upstream has block ${height} any more: connect an indexer`)
      return { block: body?.block }
    }
    return undefined
  }
  const height = cursor ? cursor.height + 1 : highest
  const place = height > 0 && height <= highest ? await deepAt(height) : undefined
  const added = place?.block
  if (added && (!cursor || added.protocolState.previousStateHash === cursor.stateHash)) {
    const below = cursor ? [cursor.stateHash, ...cursor.below].slice(0, maxBelow) : []
    return { added, cursor: { height, stateHash: added.stateHash, below } }
  }
  if (!cursor) return undefined
  // Only another block in its place, under enough others, shows a loss. A lower tip may be that of a node that lags, or come from
  // a hard fork.
  const inItsPlace = highest >= cursor.height ? (await deepAt(cursor.height))?.block : undefined
  const isReplaced = inItsPlace !== undefined && inItsPlace.stateHash !== cursor.stateHash
  const isLost = isReplaced || (highest < cursor.height && (await isForkedAway(url, cursor)))
  if (!isLost) return undefined
  const [known, ...below] = cursor.below
  // A first cursor knows no block under it.
  const parent = known ?? (await read(`${url}/blocks/${cursor.stateHash}`)).body?.block.protocolState.previousStateHash
  if (!parent) throw new Error(`block ${cursor.stateHash} was lost, and nobody knows its parent: give an older cursor`)
  return { orphaned: cursor, cursor: { height: cursor.height - 1, stateHash: parent, below } }
}

/** After a hard fork, whose first block is final: a state hash names the same block in every answer. */
async function isForkedAway(url: string, { height, stateHash, below }: Cursor) {
  const { body: network } = await read(`${url}/network`)
  const genesis = network && (await read(`${url}/blocks/${network.genesisStateHash}`)).body?.block
  const own = genesis && [stateHash, ...below][height - genesis.blockHeight]
  return own !== undefined && own !== network?.genesisStateHash
}
