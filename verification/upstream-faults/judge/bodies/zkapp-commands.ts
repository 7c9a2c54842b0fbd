// zkApp commands as a node and as an indexer send them, in the contract's shape.
import type { BareZkappCommand, ZkappCommand } from '../../../../shared/contract/zkapp-command.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
import { at } from '../../exact-json.ts'
import { signedDigitsOf } from '../sent/scalars.ts'
import { flag, integer, list, text } from '../sent/values.ts'
import { minaTokens } from './commands.ts'

/** The reasons of all updates, each once; undefined for an applied command. */
export function reasonOf(command: unknown): string | undefined {
  const reasons = list(command, 'failureReason').flatMap((update) => list(update, 'failures'))
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join(', ')
}

/** @throws TypeError for a change that is not a signed integer */
function changeOf(body: unknown): bigint {
  const signs: ReadonlyMap<unknown, bigint> = new Map([
    ['Positive', 1n],
    ['Negative', -1n],
  ])
  const sign = signs.get(at(body, 'balanceChange', 'sgn'))
  if (sign === undefined) throw new TypeError('not a sign')
  return sign * integer(body, 'balanceChange', 'magnitude')
}

/** One sum for each account that the updates name. */
function sumsOf(updates: readonly unknown[]) {
  const accounts = updates.map((update) => {
    const body = at(update, 'body')
    return { publicKey: text(body, 'publicKey'), tokenId: text(body, 'tokenId'), body }
  })
  const isSame = (one: (typeof accounts)[number]) => (other: (typeof accounts)[number]) =>
    one.publicKey === other.publicKey && one.tokenId === other.tokenId
  return accounts.flatMap((account, index) => {
    if (accounts.findIndex(isSame(account)) < index) return []
    const own = accounts.filter(isSame(account)).map(({ body }) => body)
    const amount = own.reduce((sum: bigint, body) => sum + changeOf(body), 0n)
    const paysFee = own.some((body) => flag(body, 'implicitAccountCreationFee'))
    if (amount === 0n && !paysFee) return []
    const { publicKey, tokenId } = account
    return [{ publicKey, tokenId, amount, ...(paysFee && { implicitAccountCreationFee: true }) }]
  })
}

/** True for an amount of 64 bits with a sign. */
const fits = (amount: bigint): boolean => amount >= -(2n ** 63n) && amount < 2n ** 63n

/** True if a sum of MINA is left out of `balanceChanges`. */
export const isCut = (command: unknown): boolean =>
  reasonOf(command) === undefined &&
  sumsOf(list(command, 'zkappCommand', 'accountUpdates')).some(
    ({ tokenId, amount }) => minaTokens.has(tokenId) && !fits(amount),
  )

/** @throws RangeError or TypeError for what the contract cannot show */
export function bareZkapp(command: unknown): Exact<BareZkappCommand> {
  const inside = at(command, 'zkappCommand')
  const payer = at(inside, 'feePayer', 'body')
  // Read even where a failure leaves no change.
  const sums = sumsOf(list(inside, 'accountUpdates'))
  const changes = reasonOf(command) === undefined ? sums : []
  const isMina = ({ tokenId }: (typeof sums)[number]) => minaTokens.has(tokenId)
  return {
    balanceChanges: changes.filter((change) => isMina(change) && fits(change.amount)),
    tokenChanges: changes
      .filter((change) => !isMina(change))
      .map((change) => ({ ...change, amount: String(change.amount) })),
    fee: integer(payer, 'fee'),
    feePayer: { publicKey: text(payer, 'publicKey') },
    hash: text(command, 'hash'),
    kind: 'ZKAPP',
    memo: text(inside, 'memo'),
    nonce: integer(payer, 'nonce'),
  }
}

export function includedZkapp(
  command: unknown,
  enclosing: Pick<Exact<ZkappCommand>, 'blockHeight' | 'blockStateHash' | 'dateTime'>,
): Exact<ZkappCommand> {
  const failureReason = reasonOf(command)
  const end =
    failureReason === undefined ? ({ status: 'applied' } as const) : ({ status: 'failed', failureReason } as const)
  return { ...enclosing, ...bareZkapp(command), ...end }
}

/** A zkApp command of an indexer as a node would send it, its memo given, without what pays for a new account. */
export function zkappOf(sent: unknown, memo: string): object {
  const reason = at(sent, 'failureReason')
  return {
    hash: at(sent, 'hash'),
    failureReason: reason === null ? null : [{ failures: [reason] }],
    zkappCommand: {
      memo,
      feePayer: { body: { publicKey: at(sent, 'sender'), fee: at(sent, 'fee'), nonce: at(sent, 'nonce') } },
      accountUpdates: list(sent, 'zkapp', 'accounts_updated').map((update) => {
        const digits = signedDigitsOf(at(update, 'balance_change')) ?? ''
        const sgn = digits.startsWith('-') ? 'Negative' : 'Positive'
        return {
          body: {
            publicKey: at(update, 'public_key'),
            tokenId: at(update, 'token'),
            balanceChange: { magnitude: digits.replace('-', ''), sgn },
            implicitAccountCreationFee: false,
          },
        }
      }),
    },
  }
}
