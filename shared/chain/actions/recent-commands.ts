// Questions for the places where nodes show commands: the pool, and the latest blocks of the best chain. Each caller selects
// the fields that it reads, so that an answer without a field is useless only to those who need it.
import { called, count, listOf, nullable, shape, shortText, type WireType } from '../../upstream/wire.ts'
import type { ReadBlock } from './block-questions.ts'
import { blockHeightOf } from './linked-blocks.ts'

/** Blocks of the best chain searched for a command: 68 minutes, with slots of 90 s and mainnet's 44 % filled. */
export const searchedBlocks = 20

const areLatest = (blocks: readonly ReadBlock[] | null, maxLength: number): boolean =>
  blocks === null ||
  (blocks.length <= maxLength &&
    blocks.every((each, index) => blockHeightOf(each) === blockHeightOf(blocks[0] ?? each) + index))

/** The latest blocks of the best chain, without a gap: their places give the confirmations of each. */
export const searchedChain = <Block extends ReadBlock>(block: WireType<Block>): WireType<readonly Block[] | null> =>
  called(`bestChain(maxLength: ${searchedBlocks})`, nullable(listOf(block)), (blocks) =>
    areLatest(blocks, searchedBlocks),
  )

/** The same, with their number in a variable. */
export const newestChain = <Block extends ReadBlock>(
  block: WireType<Block>,
  variable = 'maxLength',
): WireType<readonly Block[] | null> =>
  called(`bestChain(maxLength: $${variable})`, nullable(listOf(block)), (blocks, asked) =>
    areLatest(blocks, Number(asked[variable])),
  )

/** The pool's payments and delegations of the sender in the variable `publicKey`. */
export const pooledUserCommands = <Command extends { readonly from: string }>(
  command: WireType<Command>,
): WireType<readonly Command[]> =>
  called('pooledUserCommands(publicKey: $publicKey)', listOf(command), (commands, { publicKey }) =>
    commands.every(({ from }) => from === publicKey),
  )

interface FeePayer {
  readonly zkappCommand: { readonly feePayer: { readonly body: { readonly publicKey: string } } }
}

/** The pool's zkApp commands of the sender in the variable `publicKey`. */
export const pooledZkappCommands = <Command extends FeePayer>(
  command: WireType<Command>,
): WireType<readonly Command[]> =>
  called('pooledZkappCommands(publicKey: $publicKey)', listOf(command), (commands, { publicKey }) =>
    commands.every(({ zkappCommand }) => zkappCommand.feePayer.body.publicKey === publicKey),
  )

/** The account of the key in the variable `publicKey`; null without one. */
export const accountByKey = <Account extends { readonly publicKey: string }>(
  account: WireType<Account>,
): WireType<Account | null> =>
  called(
    'account(publicKey: $publicKey)',
    nullable(account),
    (found, { publicKey }) => found === null || found.publicKey === publicKey,
  )

export const senderAccount = /* @__PURE__ */ accountByKey(/* @__PURE__ */ shape({ nonce: count, publicKey: shortText }))

/** A block of the best chain with one of its commands. */
export interface FoundIn<Block, Command> {
  readonly block: Block
  readonly shown: Command
  /** Blocks on top of it; 0 at the tip. */
  readonly depth: number
}

/** The newest block with a command that fits; the tip is the last one. */
export function includedIn<Command, Block extends { readonly commands: readonly Command[] }>(
  { blocks }: { readonly blocks: readonly (Block & { readonly commands: readonly Command[] })[] },
  fits: (shown: Command) => boolean,
): FoundIn<Block, Command> | undefined {
  for (const [depth, block] of blocks.toReversed().entries()) {
    const shown = block.commands.find(fits)
    if (shown !== undefined) return { block, shown, depth }
  }
  return undefined
}

/** True of every command that uses the nonce of the sender. */
export const usesNonce =
  (from: string, nonce: string) =>
  (shown: { readonly from: string; readonly nonce: number }): boolean =>
    shown.from === from && String(shown.nonce) === nonce
