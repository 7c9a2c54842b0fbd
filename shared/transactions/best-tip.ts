// What the best tip of a request says about commands that wait in pools. A pool alone proves nothing: a stalled node
// shows commands that were included long ago, and a node at the tip may for a while show a command both in a block and
// in its pool.
import { newestChain, searchedBlocks } from '../chain/actions/recent-commands.ts'
import { attemptsPerAddress, sampleSize, termsBeside } from '../chain/address.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { ChainView } from '../chain/port.ts'
import { paidZkapp, payerOf } from '../mapping/paid-zkapp.ts'
import type { WireError } from '../upstream/errors.ts'
import { nodeQuery, tipBlockFields, tooFullBlocks } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import {
  called,
  count,
  includedIf,
  listOf,
  nullable,
  shape,
  shortText,
  type Wire,
  type WireType,
} from '../upstream/wire.ts'

/** What the inclusion of a command uses up: its fee payer's nonce. */
export interface PayerNonce {
  readonly from: string
  readonly nonce: number
}

/** What one answer says about the chain at its tip. */
export interface TipAnswer {
  /** Index of the node. */
  readonly node: number
  readonly tip: Tip
  /** The nonces of accounts in the tip's ledger, by public key; 0 for one that it does not have. */
  readonly nonces: ReadonlyMap<string, number>
  /** The latest blocks, as far as they were read; the tip last. */
  readonly blocks: readonly { readonly stateHash: string; readonly commands: readonly PayerNonce[] }[]
}

/** The highest tip among the answers of a request. */
export interface BestTip {
  /** The answers at that height, with one tip or several. */
  readonly answers: readonly TipAnswer[]
  /** True of a command that can no longer be included: the chain holds it, or another one with its nonce. */
  isOver(command: PayerNonce): boolean
  /** True if the nonce of the fee payer is known, in the ledger of every tip. */
  isChecked(command: Pick<PayerNonce, 'from'>): boolean
}

const highestOf = (answers: readonly TipAnswer[]): readonly TipAnswer[] => {
  const height = Math.max(...answers.map(({ tip }) => tip.height))
  return answers.filter(({ tip }) => tip.height === height)
}

/**
 * The best tip, as the answers show it: the greatest height among them, since an instance may remember one that no node
 * shows any more. With two tips at one height, a command is over if either says so. The ledger of a lower tip says
 * nothing, even under known blocks: a zkApp command may raise the nonce of an account that does not pay for it.
 *
 * @param asked the later answers of `askPayers`. If the chain has moved on since, the best answers before them still hold where
 *   the new blocks reach down to their tip, except for the commands in those blocks
 */
export function bestTipOf(shown: readonly TipAnswer[], asked: readonly TipAnswer[] = []): BestTip {
  const before = highestOf(shown)
  const best = highestOf([...before, ...asked])
  const blocks = best.flatMap((answer) => answer.blocks)
  const below = new Set(blocks.map(({ stateHash }) => stateHash))
  const counting = new Set([...best, ...before.filter(({ tip }) => below.has(tip.stateHash))])

  const byTip = Map.groupBy(best, ({ tip }) => tip.stateHash)
  const isKnownAt = (answers: readonly TipAnswer[], from: string): boolean => {
    const reached = new Set(answers.flatMap((answer) => answer.blocks.map(({ stateHash }) => stateHash)))
    return [...answers, ...before.filter(({ tip }) => reached.has(tip.stateHash))].some(({ nonces }) =>
      nonces.has(from),
    )
  }
  const lowestFree = new Map<string, number>()
  const raise = (from: string, nonce: number) => lowestFree.set(from, Math.max(nonce, lowestFree.get(from) ?? 0))
  for (const { nonces } of counting) {
    for (const [from, nonce] of nonces) raise(from, nonce)
  }
  for (const { from, nonce } of blocks.flatMap(({ commands }) => commands)) raise(from, nonce + 1)
  return {
    answers: best,
    isOver: ({ from, nonce }) => nonce < (lowestFree.get(from) ?? 0),
    isChecked: ({ from }) => [...byTip.values()].every((answers) => isKnownAt(answers, from)),
  }
}

/** The most fee payers whose nonces one question asks for: a node looks each one up in its ledger. */
const maxPayers = 100

/**
 * Blocks that come with their nonces: more than a tip moves while a request is answered, and with three answers few enough that
 * one request lists forty at most.
 */
const newBlocks = 3

const paidBlock = shape({
  ...tipBlockFields,
  transactions: shape({
    userCommands: listOf(shape({ from: shortText, nonce: count })),
    zkappCommands: listOf(paidZkapp),
  }),
})

type PaidBlock = Wire<typeof paidBlock>

/** The blocks of an answer with the nonces that they use up. */
export const tipBlocks = (bestChain: readonly PaidBlock[] | null): TipAnswer['blocks'] =>
  (bestChain ?? []).map(({ stateHash, transactions: { userCommands, zkappCommands } }) => ({
    stateHash,
    commands: [...userCommands, ...zkappCommands.map(payerOf)],
  }))

const accountFields = shape({ nonce: count, publicKey: shortText })

type Account = Wire<typeof accountFields>

type Accounts = Readonly<Record<`account${number}`, Account | null | undefined>>

const payerIndexes = Array.from({ length: maxPayers }, (_, index) => index)

const accountAt = (index: number): WireType<Account | null | undefined> =>
  includedIf(
    `wants${index}`,
    called(
      `account(publicKey: $key${index}) @include(if: $wants${index})`,
      nullable(accountFields),
      (account, asked) => account === null || account.publicKey === asked[`key${index}`],
    ),
  )

const accounts: { readonly [Key in keyof Accounts]: WireType<Accounts[Key]> } = Object.fromEntries(
  payerIndexes.map((index) => [`account${index}`, accountAt(index)]),
)

/** The accounts of fee payers, each in its own field and only if wanted, and the newest blocks. */
export const payerNonces = nodeQuery(
  'payerNonces',
  `$newest: Int!, ${payerIndexes.map((index) => `$key${index}: PublicKey!, $wants${index}: Boolean!`).join(', ')}`,
  { ...accounts, bestChain: newestChain(paidBlock, 'newest') },
  { tooLong: tooFullBlocks },
)

/** At one address; each call tries its connection twice. */
const maxFailures = 2

/** If one of two daemons behind an address lags, all of these reach it in one request of 64. */
const maxLooks = 2 * sampleSize

/**
 * Asks a node at each best tip for the nonces of fee payers that no answer shows: of zkApp commands, and of commands
 * that only another node has in its pool.
 *
 * @param payers public keys, the most important first; at most 100 of them are asked for
 * @param newest number of blocks to read as well: they show what has been paid since the other answers
 * @returns no answers if there is no payer, or if none comes from a tip at least as high; `error` is the last failure, if any
 */
export async function askPayers(
  payers: readonly string[],
  { answers }: BestTip,
  chain: ChainView,
  newest = newBlocks,
): Promise<{ readonly answers: readonly TipAnswer[]; readonly error?: WireError }> {
  const keys = [...new Set(payers)]
  const [first] = keys
  if (first === undefined) return { answers: [] }
  // The blocks show the payers beyond the limit.
  const isWide = keys.length > maxPayers && answers.every(({ blocks }) => blocks.length <= 1)
  const ofKeys = payerIndexes.flatMap((index) => [
    [`key${index}`, keys[index] ?? first],
    [`wants${index}`, keys[index] !== undefined],
  ])
  const variables = { newest: isWide ? searchedBlocks : newest, ...Object.fromEntries(ofKeys) }
  const failures: Extract<Outcome, { readonly kind: 'failure' }>[] = []

  async function askAt(ofTip: readonly TipAnswer[]): Promise<readonly TipAnswer[]> {
    const height = ofTip[0]?.tip.height ?? 0
    // The daemon that answers may lag.
    const looks = attemptsPerAddress(chain) > 1 ? maxLooks : 1
    const turns = ofTip.flatMap(({ node }) => Array.from({ length: looks }, () => node))
    for (const node of turns.slice(0, isWide ? 1 : Math.max(looks, sampleSize))) {
      if (failures.filter((failure) => failure.node === node).length === maxFailures) break
      const outcome = await chain.call(node, payerNonces, variables, termsBeside(chain))
      if (outcome.kind === 'failure') failures.push(outcome)
      if (outcome.kind === 'failure' || outcome.tip === undefined || outcome.tip.height < height) continue
      const { tip } = outcome
      const data = outcome.data as Accounts & { readonly bestChain: readonly PaidBlock[] | null }
      const nonces = keys.slice(0, maxPayers).map((key, index) => [key, data[`account${index}`]?.nonce ?? 0] as const)
      return [{ node, tip, nonces: new Map(nonces), blocks: tipBlocks(data.bestChain) }]
    }
    return []
  }

  // No caller can choose the tip under which an address answers, and one request may read few blocks.
  const byPlace = new Map(answers.map((answer) => [answer.node, answer]))
  const byTip = Map.groupBy(byPlace.values(), ({ tip }) => tip.stateHash)
  const asked = await Promise.all([...byTip.values()].map(askAt))
  const error = failures.at(-1)?.error
  return { answers: asked.flat(), ...(error !== undefined && { error }) }
}
