// A chain that differs in one thing from the right one: a wrapper round its ports, its clock or what it hands out.
import type {
  BroadcastNetworks,
  Chain,
  ChainOptions,
  CreateChain,
  Indexer,
  OpenView,
} from '../../../../shared/chain/port.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { networkCheck } from '../../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { NodePort, QueryUpstream, Reply } from '../../../../shared/upstream/query.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'
import { withChanges } from '../../changed-view.ts'

export interface Variant {
  (make: CreateChain): CreateChain
  /** Called for each instance: changes what its endpoints answer. */
  readonly answering?: () => (answer: Answer) => Promise<Answer>
}

type Asked = Parameters<QueryUpstream>

/** Takes the place of a question to a node. */
export type Change = (send: () => Promise<Reply>, asked: Asked, port: NodePort) => Promise<Reply>

/** @param changing called for each instance */
export const changedPorts =
  (changing: (options: ChainOptions) => Change): Variant =>
  (make) =>
  (options) => {
    const change = changing(options)
    const nodes = options.nodes.map((port) => ({
      ...port,
      query: (...asked: Asked) => change(() => port.query(...asked), asked, port),
    }))
    return make({ ...options, nodes })
  }

/** Changes what is handed to endpoints. */
export const changedView =
  (change: (view: OpenView) => Partial<OpenView>): Variant =>
  (make) =>
  (options) => {
    const chain: Chain = make(options)
    return {
      view(terms) {
        const view = chain.view(terms)
        return withChanges(view, change(view))
      },
    }
  }

/** Changes the answers of the indexers. */
export const changedAnswers = (
  { indexers }: OpenView,
  change: <Data>(data: Data, operation: Operation<Data>, variables: Variables) => Data,
): readonly Indexer[] =>
  indexers.map((indexer) => ({
    async ask(operation, variables) {
      const { data, ...answer } = await indexer.ask(operation, variables)
      return { ...answer, data: change(data, operation, variables) }
    },
  }))

/** Changes what is known of the nodes' networks. */
export const changedNetworks = (
  change: (networks: BroadcastNetworks, view: OpenView) => Partial<BroadcastNetworks>,
): Variant => changedView((view) => ({ networks: withChanges(view.networks, change(view.networks, view)) }))

/** True for the question for the network of a node, alone. */
export const isCheck = ({ name }: Operation): boolean => name === networkCheck.name

/** Changes the questions for the network of a node alone. */
export const changedChecks = (changing: (options: ChainOptions) => Change): Variant =>
  changedPorts((options) => {
    const change = changing(options)
    return (send, asked, port) => (isCheck(asked[0]) ? change(send, asked, port) : send())
  })

/** The fault of a call that was never made. */
export const unasked = () => new WireError('unreachable', 'not asked', { isUnsent: true })
