// The shapes of a signed command: the contract's, mina-signer's and Rosetta's. Each is read into one of the two that the
// schema knows.
import type { FilledTerm } from '../contract/wallet-body.ts'
import { isMinaToken } from '../mapping/amounts.ts'
import { isObject, memberOf } from '../mapping/exact-json.ts'
import type { CommandKind } from '../mapping/signed-command.ts'
import type { RequestFault } from '../upstream/errors.ts'

/** The defaults that mina-signer and Rosetta builders sign (mina-signer, rosetta.ts). */
export const defaultTerms = { memo: '', validUntil: '4294967295' } as const

export const pathOf: Readonly<Record<CommandKind, string>> = {
  payment: '/broadcast/transaction',
  delegation: '/broadcast/delegation',
}

export const nameOf: Readonly<Record<CommandKind, string>> = { payment: 'a payment', delegation: 'a stake delegation' }

/** A body in a shape that the schema knows. */
export interface ReadBody {
  readonly body: unknown
  /** The signed part: as the sender names it, and its place in `body`. */
  readonly part: string
  readonly readAs: '/payload' | '/data'
  readonly isRosetta: boolean
  /** The sender's names of its terms, if they differ. */
  readonly names: Readonly<Record<string, string>>
}

const rosettaNames: Readonly<Record<CommandKind, Readonly<Record<string, string>>>> = {
  payment: { validUntil: 'valid_until' },
  delegation: { from: 'delegator', to: 'new_delegate', validUntil: 'valid_until' },
}

interface Part {
  readonly at: string
  readonly terms: unknown
  /** Known if Rosetta names it. */
  readonly kind?: CommandKind
}

/** The digits of a JSON text or number; empty for anything else. */
export const digitsOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Serializers write null for what is absent. The terms of Rosetta under mina-signer's `data` are the deepest read. */
function withoutNulls(value: unknown, levels = 3): unknown {
  if (levels === 0 || !isObject(value)) return value
  const present = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(present.map(([key, item]) => [key, withoutNulls(item, levels - 1)]))
}

const rosettaParts = [
  ['payment', 'payment'],
  ['stake_delegation', 'delegation'],
  // mina-signer's spelling
  ['stakeDelegation', 'delegation'],
] as const

const rosettaPartsOf = (holder: unknown, at: string): readonly Part[] =>
  rosettaParts.flatMap(([key, kind]) => {
    const terms = memberOf(holder, key)
    return terms === undefined ? [] : [{ at: `${at}/${key}`, terms, kind }]
  })

/** Every part of the body that may be the signed command. */
function partsOf(body: unknown): readonly Part[] {
  const [payload, data] = [memberOf(body, 'payload'), memberOf(body, 'data')]
  const inData = rosettaPartsOf(data, '/data')
  return [
    ...(payload === undefined ? [] : [{ at: '/payload', terms: payload }]),
    ...(data === undefined || inData.length > 0 ? inData : [{ at: '/data', terms: data }]),
    ...rosettaPartsOf(body, ''),
  ]
}

/**
 * The body with its terms under `data`, by the contract's names, with defaults. What is not an object is left to the schema.
 *
 * @param given the terms with their nulls
 */
function withData(
  body: unknown,
  terms: unknown,
  given: unknown,
  isRosetta: boolean,
  names: Readonly<Record<string, string>> = {},
): unknown {
  const renamed = Object.entries(names).flatMap(([name, given]) => {
    const value = memberOf(terms, given)
    return value === undefined ? [] : [[name, value]]
  })
  const data = isObject(terms) ? { ...defaultTerms, ...terms, ...Object.fromEntries(renamed) } : terms
  const filled = (['memo', 'validUntil'] as const).flatMap((term): readonly FilledTerm[] => {
    const name = names[term] ?? term
    if ([name, term].some((key) => memberOf(terms, key) !== undefined)) return []
    const isNull = [name, term].some((key) => memberOf(given, key) === null)
    return [{ term, name, given: isNull ? 'null' : 'missing', isRosetta }]
  })
  return { publicKey: memberOf(body, 'publicKey'), signature: memberOf(body, 'signature'), data, filled }
}

const isZkapp = (value: unknown): boolean =>
  ['zkappCommand', 'accountUpdates'].some((key) => memberOf(value, key) !== undefined)

/** The fault of a zkApp command as o1js or mina-signer gives it; undefined for other bodies. */
function zkappFault(body: unknown): RequestFault | undefined {
  const at = ['', '/payload', '/data'].find((place) => isZkapp(place === '' ? body : memberOf(body, place.slice(1))))
  return at === undefined
    ? undefined
    : { at: at || 'body', problem: 'is a zkApp command: those cannot be sent here, send it to a node' }
}

/**
 * Reads a body into a shape that the schema knows.
 *
 * @param given the parsed body, of any shape
 * @param lenientPayload reads `payload` as leniently as `data`
 * @returns faults if it is unclear which command is meant, or if the command belongs to the other path or to neither
 */
export function readBody(
  given: unknown,
  kind: CommandKind,
  lenientPayload: boolean,
): ReadBody | { readonly faults: readonly RequestFault[] } {
  const body = withoutNulls(given)
  const zkapp = zkappFault(body)
  if (zkapp !== undefined) return { faults: [zkapp] }
  const [part, ...others] = partsOf(body)
  if (part === undefined) {
    const isEmptyRosetta = memberOf(given, 'payment') === null || memberOf(given, 'stake_delegation') === null
    if (isEmptyRosetta) return { faults: [{ at: 'body', problem: 'has neither a payment nor a stake_delegation' }] }
    return { body, part: '/payload', readAs: '/payload', isRosetta: false, names: {} }
  }
  if (others.length > 0) {
    return { faults: others.map(({ at }) => ({ at, problem: `must not stand beside ${part.at}` })) }
  }

  const { at, terms } = part
  const withNulls = at.split('/').slice(1).reduce(memberOf, given)
  if (part.kind === undefined) {
    if (at === '/payload' && !lenientPayload) return { body, part: at, readAs: at, isRosetta: false, names: {} }
    return { body: withData(body, terms, withNulls, false), part: at, readAs: '/data', isRosetta: false, names: {} }
  }
  if (part.kind !== kind) {
    return { faults: [{ at, problem: `is ${nameOf[part.kind]}: send it to ${pathOf[part.kind]}` }] }
  }
  const token = memberOf(terms, 'token')
  if (token !== undefined && !isMinaToken(digitsOf(token))) {
    return { faults: [{ at: `${at}/token`, problem: 'must be 1, the MINA token: commands cannot send another one' }] }
  }
  const names = rosettaNames[kind]
  return { body: withData(body, terms, withNulls, true, names), part: at, readAs: '/data', isRosetta: true, names }
}

/** A place in a read body as the sender knows it. */
export function placeOf({ part, readAs, names }: ReadBody, at: string): string {
  if (at !== readAs && !at.startsWith(`${readAs}/`)) return at
  const [name = '', ...deeper] = at.slice(readAs.length + 1).split('/')
  return [part, names[name] ?? name, ...deeper].filter((piece) => piece !== '').join('/')
}
