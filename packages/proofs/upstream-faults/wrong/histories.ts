// Wrong services that lose, double or invent commands of an account's history.
import type { Indexer } from '../../../../shared/chain/port.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'
import { withChanges } from '../../changed-view.ts'
import { at, changed, isObject } from '../exact-json.ts'
import type { AskedHistory } from '../setting/histories.ts'
import { running, type WrongService } from './endpoints.ts'

type ShownBy = WrongService['shownBy']

/** Faults that leave the answer right. */
const harmless = /content type/

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A page with other commands, whose `searched` and `next` stay as they are. */
const listing = (shownBy: ShownBy, change: (commands: readonly unknown[]) => readonly unknown[]): WrongService =>
  running(shownBy, async (endpoint, input, chain) => {
    const answer = await endpoint.run(input as never, chain)
    const commands = at(answer.body, 'transactions')
    if (!Array.isArray(commands)) return answer
    return { ...answer, body: changed(answer.body, ['transactions'], () => change(commands)) } as Answer
  })

/** Asks an indexer for an account's rows in another way, or shows its answer in another way. */
const reading = (
  shownBy: ShownBy,
  {
    ask = (variables) => variables,
    show = (data) => data,
  }: {
    readonly ask?: (variables: Variables) => Variables
    readonly show?: (data: unknown, asked: AskedHistory) => unknown
  },
): WrongService =>
  running(shownBy, (endpoint, input, chain) => {
    const indexers = chain.indexers.map(
      (indexer): Indexer => ({
        async ask(operation, variables) {
          if (operation.name !== 'accountCommands') return indexer.ask(operation, variables)
          const answered = await indexer.ask(operation, ask(variables))
          return { ...answered, data: show(answered.data, input as AskedHistory) as typeof answered.data }
        },
      }),
    )
    return endpoint.run(input as never, withChanges(chain, { indexers }))
  })

/** Of a block on no chain. */
const abandonedHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

const negated = (amount: unknown) => -BigInt(String(amount))

export const wrongHistories = {
  'loses-the-last-command-of-a-page': listing([harmless, /^history: /], (commands) => commands.slice(0, -1)),
  'shows-what-an-account-gains-by-zkapps-as-paid': listing([harmless, /^history: /], (commands) =>
    commands.map((command) =>
      isObject(command) && 'role' in command ? { ...command, amount: negated(command.amount) } : command,
    ),
  ),
  'lists-commands-twice-over-the-seam': reading([harmless, /^history: all of it/], {
    ask: (variables) => ({ ...variables, below: Number(variables.below) + 3 }),
  }),
  'lists-commands-of-abandoned-blocks-too': reading([harmless, /^history: all of it/], {
    show: (data) =>
      changed(data, ['sent'], (rows) =>
        listOf(rows).flatMap((row) => [row, changed(row, ['block', 'stateHash'], () => abandonedHash)]),
      ),
  }),
  'goes-on-below-replaced-blocks': reading([harmless, /^history: below an old block that is not canonical/], {
    show: (data, { before }) =>
      changed(data, ['anchor'], (blocks) =>
        listOf(blocks).map((block) => ({ ...Object(block), stateHash: before?.stateHash })),
      ),
  }),
  'calls-a-page-complete-without-the-indexer': running(
    [/^indexer answers data/, /^history: all of it/],
    async (endpoint, input, chain) => {
      try {
        return await endpoint.run(input as never, chain)
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        return endpoint.run(input as never, withChanges(chain, { indexers: [] }))
      }
    },
  ),
  'calls-a-short-list-of-the-indexer-complete': reading([harmless, /^history: all of it/], {
    show: (data) => changed(data, ['sent'], (rows) => listOf(rows).slice(0, 1)),
  }),
} satisfies Record<string, WrongService>
