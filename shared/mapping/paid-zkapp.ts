// The fee payer of a zkApp command and the nonce that it uses. Apart from the whole command, which fewer functions read.
import { count, shape, shortText, type Wire } from '../upstream/wire.ts'

export const paidZkapp = shape({
  zkappCommand: shape({ feePayer: shape({ body: shape({ nonce: count, publicKey: shortText }) }) }),
})

/** Whose nonce a zkApp command uses. */
export const payerOf = ({
  zkappCommand,
}: Wire<typeof paidZkapp>): { readonly from: string; readonly nonce: number } => {
  const { publicKey, nonce } = zkappCommand.feePayer.body
  return { from: publicKey, nonce }
}
