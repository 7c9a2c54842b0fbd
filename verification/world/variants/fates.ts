// Wrong chains that believe too much about a command. The judge of fates must see each.

import type { RecentData } from '../../../shared/chain/actions/recent-commands.ts'
import type { Surveyed, SurveyQuestion } from '../../../shared/chain/port.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import { changedExchange, type Variant } from './variant.ts'

type Change = (answer: Surveyed<RecentData>) => Partial<Surveyed<RecentData>>

/** Changes what each node shows of a command. */
const shown = (change: Change): Variant =>
  changedExchange(({ survey }) => ({
    async survey<Data>(question: SurveyQuestion<Data>) {
      const changed = (answer: Surveyed<Data>) =>
        ({ ...answer, ...change(answer as Surveyed<RecentData>) }) as Surveyed<Data>
      const answers = await survey({ ...question, isEnough: (first) => question.isEnough(first.map(changed)) })
      return answers.map(changed)
    },
  }))

/** The latest block with the commands of the pool among its own. */
function withPool({ bestChain, pooledUserCommands = [], userCommandsByHash = [] }: RecentData): Partial<RecentData> {
  const blocks = bestChain ?? []
  const waiting = [...pooledUserCommands, ...userCommandsByHash]
  return {
    bestChain: blocks.map((block, index) => {
      const userCommands = [...block.transactions.userCommands, ...waiting]
      return index < blocks.length - 1 ? block : { ...block, transactions: { ...block.transactions, userCommands } }
    }),
  }
}

/** Commands that differ in their fee from what they are. */
const withOtherFees = <Command extends { readonly fee: bigint }>(commands: readonly Command[]): readonly Command[] =>
  commands.map((command) => ({ ...command, fee: command.fee + 1n }))

/** Each payment and delegation with another fee, so that it is no more what its wallet has signed. */
function withRivals({ data, isRepeat }: Surveyed<RecentData>): Partial<RecentData> {
  const { bestChain, pooledUserCommands = [] } = data
  const blocks = bestChain?.map((block) => {
    const { transactions } = block
    return { ...block, transactions: { ...transactions, userCommands: withOtherFees(transactions.userCommands) } }
  })
  const pooled = { ...data, pooledUserCommands: withOtherFees(pooledUserCommands) }
  return isRepeat ? pooled : { ...pooled, bestChain: blocks ?? null }
}

const isNamed = ({ name }: Operation, wanted: string): boolean => name === wanted

export const fateLies = {
  'believes a node that lies behind': shown(() => ({ isAtTip: true })),
  'calls an absence at one node an absence at all': changedExchange(({ survey }) => ({
    survey: (question) => survey({ ...question, isEnough: () => true }),
  })),
  'takes what waits in a pool for included': shown(({ data, isRepeat }) => ({
    data: isRepeat ? data : { ...data, ...withPool(data) },
  })),
  'makes a command its own rival': shown((answer) => ({ data: { ...answer.data, ...withRivals(answer) } })),
  'forgets that the ledger is past the nonce': shown(({ data }) => ({
    data: { ...data, account: null } as RecentData,
  })),
  'takes an orphan of the indexer for canonical': changedExchange(({ ask, find }) => ({
    async find(operation, variables) {
      const answer = await find(operation, variables)
      return isNamed(operation, 'commandsAtHeight') ? { ...answer, data: undefined } : answer
    },
    async ask(operation, variables) {
      const answer = await ask(operation, variables)
      if (!isNamed(operation, 'nodeGenesis')) return answer
      const daemonStatus = { consensusConfiguration: { k: 0 } }
      return { ...answer, data: { ...answer.data, daemonStatus } }
    },
  })),
} satisfies Record<string, Variant>
