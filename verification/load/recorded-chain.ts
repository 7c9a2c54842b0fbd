// A chain with a record of its states, so that an answer can be compared with each state in which it may have been
// given.
import type { ChainBlock } from '../../local/chain/block.ts'
import { type Chain, createChain } from '../../local/chain/chain.ts'
import type { ChainOptions } from '../../local/chain/chain-options.ts'
import type { Ledger } from '../../local/chain/ledger/ledger.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { answerFrom, queriesOver, type Root, type Variables } from '../node-answers.ts'
import { parseJson } from '../upstream-faults/exact-json.ts'

/** The chain between two blocks. */
export interface ChainState {
  readonly tip: ChainBlock
  readonly ledger: Ledger
  /** Since genesis, oldest first. */
  readonly blocks: readonly ChainBlock[]
  /** Those that the node holds. */
  readonly frontier: readonly ChainBlock[]
  /** Of a node in this state, but by its hash it finds every block, older and newer ones too. */
  readonly queries: Root
  /** Answers given so far. */
  readonly answers: Map<string, unknown>
}

export type RecordedChain = ReturnType<typeof recordedChain>

function stateOf(chain: Chain): ChainState {
  const state = { tip: chain.tip(), ledger: chain.ledger(), blocks: chain.bestChain(), frontier: chain.frontier() }
  const { tip, ledger, frontier } = state
  const node: Chain = {
    ...chain,
    tip: () => tip,
    ledger: () => ledger,
    frontier: () => frontier,
    frontierBlock: (stateHash) => chain.bestChain().find((block) => block.stateHash === stateHash),
    account: (publicKey) => ledger.get(publicKey),
  }
  return { ...state, queries: queriesOver(node), answers: new Map() }
}

/**
 * The data with which the node answers in that state. Numbers keep their text.
 *
 * @param question the name of an operation of the endpoint
 */
export function nodeData(
  { queries, answers }: ChainState,
  { operations }: Pick<Endpoint, 'operations'>,
  question: string,
  variables: Variables = {},
): unknown {
  const document = operations.find(({ name }) => name === question)?.document
  if (document === undefined) throw new RangeError(`the endpoint does not ask ${question}`)
  const key = `${question} ${JSON.stringify(variables)}`
  const data = answers.get(key) ?? parseJson(JSON.stringify(answerFrom(queries, document, variables).data))
  answers.set(key, data)
  return data
}

export function recordedChain(options: ChainOptions) {
  const chain = createChain(options)
  const states: [ChainState, ...ChainState[]] = [stateOf(chain)]
  return {
    chain,
    /** Oldest first. */
    states: states as readonly ChainState[],
    current: (): ChainState => states.at(-1) ?? states[0],
    /** Adds a block, and with it a state. */
    advance() {
      chain.produceBlock()
      states.push(stateOf(chain))
    },
  }
}
