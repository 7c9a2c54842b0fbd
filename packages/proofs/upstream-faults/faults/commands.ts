// Commands that contradict themselves or the signed one, in answers to mutations, in look-ups, pools and blocks.
import { at, changed, isObject, number, type Path } from '../exact-json.ts'
import { change, type Fault, replacements } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'
import { otherKey } from './wrong-values.ts'

const listIn = (data: unknown, ...path: Path): readonly unknown[] => {
  const found = at(data, ...path)
  return Array.isArray(found) ? found : []
}

/** The places of commands in a node's answer; of each block the last one. */
function commandPaths(data: unknown): readonly Path[] {
  const lastOf = (block: Path): Path => {
    const path = [...block, 'transactions', 'userCommands']
    return [...path, listIn(data, ...path).length - 1]
  }
  const paths = [
    ['sendPayment', 'payment'],
    ['sendDelegation', 'delegation'],
    lastOf(['block']),
    ...listIn(data, 'pooledUserCommands').map((_, index) => ['pooledUserCommands', index]),
    ...listIn(data, 'bestChain').map((_, index) => lastOf(['bestChain', index])),
  ]
  return paths.filter((path) => isObject(at(data, ...path)))
}

/** The answers whose commands are compared with the signed one. */
const comparable = /^(?:send\w+|findCommand)$/
const any = /^/

/** Changes every command that an answer shows, at a path in it. */
const commands = (name: string, path: string, wrong: unknown, operation = any): Fault =>
  change('mutation', 'node', name, (data, exchange) => {
    if (!operation.test(exchange.name)) return undefined
    const steps = path === '' ? [] : path.split('.')
    const places = commandPaths(data).map((place) => [...place, ...steps])
    const hit = places.filter((place) => at(data, ...place) !== undefined)
    const make = (found: unknown) => (typeof wrong === 'function' ? wrong(found) : wrong)
    return hit.length === 0 ? undefined : hit.reduce<unknown>((made, place) => changed(made, place, make), data)
  })

const otherToken = 'xosVXFFDvDiKvHSDAaHvrTSRtoa5Graf2J7LM5Smb4GNTrT2Hn'
const odd = { 'x-evil': 'a\r\nx-evil: 1', long: 'x'.repeat(100_000) }
const shown = (text: string): string => `${JSON.stringify(text.slice(0, 12))} of ${text.length}`

const commandFaults: readonly Fault[] = [
  commands('calls a command the other kind', 'isDelegation', (flag: unknown) => !flag),
  ...['source', 'receiver', 'feePayer', 'fromAccount', 'toAccount'].flatMap((key) => [
    commands(`names another ${key}`, `${key}.publicKey`, otherKey),
    commands(`has another token for ${key}`, `${key}.token`, otherToken),
    commands(`has no ${key}`, key, null),
  ]),
  commands('has another token', 'token', otherToken),
  commands('has another feeToken', 'feeToken', otherToken),
  commands('swaps sender and receiver', '', (command: object) => ({
    ...command,
    from: at(command, 'to'),
    to: at(command, 'from'),
  })),
  ...['', ' ', 'a b', '\r\nx-evil: 1', odd.long, secret].map((id) => commands(`has the id ${shown(id)}`, 'id', id)),
  ...['', odd.long, odd['x-evil'], '🦉', secret, 'a-b'].map((hash) =>
    commands(`has the hash ${shown(hash)}`, 'hash', hash),
  ),
  commands('has another kind', 'kind', (kind: unknown) => (kind === 'PAYMENT' ? 'STAKE_DELEGATION' : 'PAYMENT')),
  commands('has an amount with decimals', 'amount', (amount: unknown) => `${amount}.0`),
  commands('has an amount with an exponent', 'amount', number('1e3')),
  commands('has another fee', 'fee', '1', comparable),
  commands('has another memo', 'memo', 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH', comparable),
  commands(
    'has another nonce',
    'nonce',
    // Far from those of other commands: one with all the terms that were sent, this one too, cannot be told from it.
    (nonce: unknown) => number(String(Number(JSON.stringify(nonce)) + 1000)),
    comparable,
  ),
  commands('has a nonce with a fraction', 'nonce', number('2.5')),
  commands('expires otherwise', 'validUntil', '7', comparable),
]

/** Other data in the answer to a mutation. */
const mutation = (name: string, make: (data: object) => unknown): Fault =>
  change('mutation', 'node', name, (data) =>
    isObject(data) && ('sendPayment' in data || 'sendDelegation' in data) ? make(data) : undefined,
  )

export const contradictions: readonly Fault[] = [
  ...commandFaults,
  mutation('takes another command, of another source', (data) => {
    const [path] = commandPaths(data)
    if (path === undefined) return undefined
    const other = { hash: '5JuJ1eRNWdE8jSMmCDoHnAdBGhLyBnCk2gkcvkfCZ7WvrKtGuWHS', source: { publicKey: otherKey } }
    return changed(data, path, (command) => ({ ...Object(command), ...other }))
  }),
  mutation('answers the other mutation', (data) => ({
    sendPayment: at(data, 'sendDelegation'),
    sendDelegation: at(data, 'sendPayment'),
  })),
  mutation('answers a mutation with null', (data) => Object.fromEntries(Object.keys(data).map((key) => [key, null]))),
  mutation('answers a mutation with {}', () => ({})),
  mutation('answers a mutation with what it was asked', () => ({ input: {}, signature: {} })),
  ...replacements('mutation', [
    [
      'indexer',
      'calls a command both applied and failed',
      'block.transactions.userCommands.0',
      // Who believes the one or the other shows what is not true.
      (command: object) =>
        at(command, 'failureReason') === null
          ? { ...command, failureReason: 'Overflow' }
          : { ...command, isApplied: true, failureReason: null },
    ],
    // Only a block fails a command.
    ['node', 'says why a pooled command failed', 'pooledUserCommands.0.failureReason', 'Source_insufficient_balance'],
    ['node', 'forgets the ledger in a look-up', 'account', undefined],
  ]),
]
