// Commands that contradict themselves or what was signed, in answers to mutations, in look-ups, pools and blocks.
import { at, changed, isObject, number, type Path } from '../exact-json.ts'
import type { Fault } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'
import { change, reshaped } from './changes.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

/** Wherever a node's answer shows commands. */
function commandPaths(data: unknown): readonly Path[] {
  const pooled = [at(data, 'pooledUserCommands')].flat().map((_, index) => ['pooledUserCommands', index])
  const lastOfBlock = (path: Path): Path => {
    const commands = at(data, ...path, 'transactions', 'userCommands')
    return [...path, 'transactions', 'userCommands', Array.isArray(commands) ? commands.length - 1 : 0]
  }
  const blocks = [at(data, 'bestChain')].flat().map((_, index) => lastOfBlock(['bestChain', index]))
  return [
    ['sendPayment', 'payment'],
    ['sendDelegation', 'delegation'],
    lastOfBlock(['block']),
    ...pooled,
    ...blocks,
  ].filter((path) => isObject(at(data, ...path)))
}

/** Changes every command that an answer shows. */
const commands = (name: string, path: Path, make: (found: unknown) => unknown): Fault =>
  reshaped(name, 'mutation', 'node', (data) => {
    const places = commandPaths(data).filter((place) => at(data, ...place, ...path) !== undefined)
    if (places.length === 0) return undefined
    return places.reduce<unknown>((made, place) => changed(made, [...place, ...path], make), data)
  })

const accounts = ['source', 'receiver', 'feePayer', 'fromAccount', 'toAccount']
const otherToken = 'xosVXFFDvDiKvHSDAaHvrTSRtoa5Graf2J7LM5Smb4GNTrT2Hn'

const commandFaults: readonly Fault[] = [
  commands('calls a command the other kind', ['isDelegation'], (flag) => !flag),
  ...accounts.flatMap((key) => [
    commands(`names another ${key}`, [key, 'publicKey'], () => otherKey),
    commands(`has another token for ${key}`, [key, 'token'], () => otherToken),
    commands(`has no ${key}`, [key], () => null),
  ]),
  ...['token', 'feeToken'].map((key) => commands(`has another ${key}`, [key], () => otherToken)),
  commands('swaps sender and receiver', [], (command) => {
    const [from, to] = [at(command, 'from'), at(command, 'to')]
    return changed(
      changed(command, ['from'], () => to),
      ['to'],
      () => from,
    )
  }),
  ...['', ' ', 'a b', '\r\nx-evil: 1', 'x'.repeat(100_000), secret].map((id) =>
    commands(`has the id ${JSON.stringify(id.slice(0, 12))} of ${id.length}`, ['id'], () => id),
  ),
  ...['', 'x'.repeat(100_000), 'a\r\nx-evil: 1', '🦉', secret, 'a-b'].map((hash) =>
    commands(`has the hash ${JSON.stringify(hash.slice(0, 12))} of ${hash.length}`, ['hash'], () => hash),
  ),
  commands('has another kind', ['kind'], (kind) => (kind === 'PAYMENT' ? 'STAKE_DELEGATION' : 'PAYMENT')),
  commands('has an amount with decimals', ['amount'], (amount) => `${amount}.0`),
  commands('has an amount with an exponent', ['amount'], () => number('1e3')),
  commands('has another fee', ['fee'], () => '1'),
  commands('has another memo', ['memo'], () => 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'),
  commands('has another nonce', ['nonce'], (nonce) => number(String(Number(JSON.stringify(nonce)) + 1))),
  commands('has a nonce with a fraction', ['nonce'], () => number('2.5')),
  commands('fails for a reason', ['failureReason'], () => 'Source_insufficient_balance'),
  commands('expires otherwise', ['validUntil'], () => '7'),
]

const field = (name: string, make: (data: unknown) => unknown): Fault =>
  reshaped(name, 'mutation', 'node', (data) =>
    isObject(data) && (data.sendPayment !== undefined || data.sendDelegation !== undefined) ? make(data) : undefined,
  )

const mutationFaults: readonly Fault[] = [
  field('answers the other mutation', (data) => ({
    sendPayment: at(data, 'sendDelegation'),
    sendDelegation: at(data, 'sendPayment'),
  })),
  field('answers a mutation with null', (data) =>
    Object.fromEntries(Object.keys(Object(data)).map((key) => [key, null])),
  ),
  field('answers a mutation with {}', () => ({})),
  field('answers a mutation with what it was asked', () => ({ input: {}, signature: {} })),
  change({
    name: 'calls a command both applied and failed',
    kind: 'mutation',
    upstream: 'indexer',
    path: ['block', 'transactions', 'userCommands', 0, 'isApplied'],
    change: (isApplied) => isApplied !== true,
  }),
  change({
    name: 'forgets the ledger in a look-up',
    kind: 'mutation',
    upstream: 'node',
    path: ['account'],
    change: () => undefined,
  }),
  change({
    name: 'has another parent of its blocks',
    kind: 'mutation',
    upstream: 'node',
    path: ['block', 'protocolState', 'previousStateHash'],
    change: () => otherStateHash,
  }),
]

export const contradictions: readonly Fault[] = [...commandFaults, ...mutationFaults]
