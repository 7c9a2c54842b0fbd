import type { AnyCommand, Client, InclusionOptions, SignedCommand, Update } from '../src/client.ts'
import type { Kept } from './pay.ts'

/** True if the command pays the receiver what the payment was to pay, whatever its fee and its memo. */
const paysTheSame = (command: AnyCommand, { to, amount }: Kept['signed']['data']) =>
  'balanceChanges' in command
    ? command.balanceChanges.some(({ publicKey }) => publicKey === to)
    : command.to === to && command.amount === BigInt(amount)

/** Of two with one nonce the chain takes at most one. */
const signAnew = 'sign another one only with its nonce'

const openText = ({ sofar, confirmations, because, code, needsIndexer }: Update) =>
  because === 'refused'
    ? `refused now, ${code}: ${signAnew}`
    : `${sofar ? `${sofar}, under ${confirmations} of 15 blocks` : because}${needsIndexer ? ', which only an indexer can tell' : ''}: do not sign another one`

interface ResumeOptions extends Pick<InclusionOptions, 'signal'> {
  /** Called with what is known so far. */
  readonly show?: (text: string) => unknown
}

/**
 * The outcome of a payment that was signed before the program ended. It is never paid twice, however often you ask.
 *
 * @param client of the payment's `network`
 * @param others your other commands with this nonce for the same purpose, such as one with a higher fee: never pay again because of them
 */
export async function resume(
  client: Client,
  { signed, hash, sentAtTip }: Kept,
  others: readonly SignedCommand[] = [],
  { show, signal }: ResumeOptions = {},
) {
  let latest = ''
  const onUpdate = (update: Update) => {
    latest = openText(update)
    if (['unconfirmed', 'undecided'].includes(update.state)) show?.(latest)
  }
  const inclusion = await client.waitForInclusion(signed, hash, { sentAtTip, rivals: others, onUpdate, signal })
  switch (inclusion.state) {
    case 'included':
      return 'paid'
    case 'failed':
      return `failed, its fee is paid: ${inclusion.failureReason}`
    case 'replaced':
      if (inclusion.isNamed) return 'replaced by another one of yours: ask for that one'
      // You signed the command that replaced it, perhaps as a raise in another program: the nonce is yours alone.
      if (!inclusion.command) return 'replaced by a command of yours that is not shown: look for it'
      if (paysTheSame(inclusion.command, signed.data))
        return 'replaced by a command of yours that pays the same: ask for that one'
      return 'not paid, and never will be: it is safe to sign another one'
    case 'expired':
      // One that you do not know here, such as a raise from another device, may still wait.
      return `not paid, and never will be: ${signAnew}`
    case 'refused':
      return `refused, ${inclusion.code}: ${signAnew}`
    case 'no-account':
      return 'no account: pay into it'
    default:
      return latest
  }
}
