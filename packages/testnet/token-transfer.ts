// The account updates that mint a token, or burn it.
import { tokenId } from './hashes.ts'
import { type Account, accountCreationFee } from './ledger/ledger.ts'
import { type AccountUpdate, minaUpdate } from './zkapp-command.ts'

/**
 * Another key gets an amount of the sender's own token, or with a negative amount gives it back. Accounts that are new for
 * the token are at the sender's cost.
 *
 * @param accountOf the account of a key before the command
 */
export function tokenTransfer(
  from: string,
  to: string,
  amount: bigint,
  accountOf: (publicKey: string) => Account | undefined,
): readonly AccountUpdate[] {
  const token = tokenId(from)
  const owners = [from, to].filter((publicKey) => !accountOf(publicKey)?.tokens.has(token))
  const update = (publicKey: string, balanceChange: bigint): AccountUpdate => ({
    ...{ publicKey, tokenId: token, balanceChange, implicitAccountCreationFee: false },
  })
  // Minted before it is moved, or burnt after it: the sender's own balance stays.
  const passed = amount < 0n ? -amount : amount
  return [
    minaUpdate(from, -accountCreationFee * BigInt(new Set(owners).size)),
    update(from, passed),
    update(from, -passed),
    update(to, amount),
  ]
}
