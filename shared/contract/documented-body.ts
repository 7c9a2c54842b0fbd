// The bodies of a broadcast for readers and generated clients: one object each, because generators stumble over unions
// in requests. They derive from the shapes in `wallet-body.ts`, which the validators check.
import { delegationRequest, transactionRequest } from './broadcast.ts'
import { text } from './scalars.ts'
import { anySignature } from './signature.ts'
import { signedDelegation, signedPayment } from './wallet-body.ts'

interface RequestSchema {
  readonly title: string
  readonly properties: { readonly payload: object }
}

interface SignerSchema {
  readonly 'x-contract-departure': string
  readonly properties: { readonly data: DataSchema }
}

interface DataSchema {
  readonly properties: Readonly<
    Record<string, { readonly type: unknown; readonly description: string; readonly 'x-unit'?: string }>
  >
}

/**
 * The data of mina-signer as texts, which every language can hold. The description says that numbers are accepted too.
 */
const asTexts = (title: string, data: DataSchema): object => ({
  ...data,
  title,
  properties: Object.fromEntries(
    Object.entries(data.properties).map(([name, property]) => {
      if (property.type === 'string') return [name, property]
      const { description, 'x-unit': unit } = property
      return [name, { ...text, ...(unit && { 'x-unit': unit }), description }]
    }),
  ),
})

/** The contract's shape with a signature in any form; its payload has a name. */
const documented = <Request extends RequestSchema>(request: Request, payloadTitle: string) => ({
  ...request,
  properties: {
    ...request.properties,
    signature: anySignature,
    payload: { ...request.properties.payload, title: payloadTitle },
  },
})

/** The contract's shape, which the project's own client sends. */
export const contractRequests = [
  documented(transactionRequest, 'TransactionPayload'),
  documented(delegationRequest, 'DelegationPayload'),
] as const

const [transactionContract, delegationContract] = contractRequests

/** The description says that it is either `payload` or `data`: in the schema, that would be a union to generators. */
const bodyOf = (
  title: string,
  command: string,
  { properties: { payload } }: RequestSchema,
  dataTitle: string,
  signers: SignerSchema,
) => ({
  type: 'object',
  title,
  description: `a signed ${command}: \`publicKey\`, \`signature\` and \`payload\` as the contract has them, or \`signature\` and \`data\` as mina-signer gives them; never both \`payload\` and \`data\``,
  'x-contract-departure': signers['x-contract-departure'],
  properties: {
    publicKey: {
      ...text,
      description: 'public key of the signer; required with `payload`, and equal to `from` of the command',
    },
    signature: anySignature,
    payload,
    data: asTexts(dataTitle, signers.properties.data),
  },
  required: ['signature'],
})

/** The body of `POST /broadcast/transaction`. */
export const transactionBody = bodyOf(
  'TransactionBody',
  'payment',
  transactionContract,
  'SignedPaymentData',
  signedPayment,
)

/** The body of `POST /broadcast/delegation`. */
export const delegationBody = bodyOf(
  'DelegationBody',
  'stake delegation',
  delegationContract,
  'SignedDelegationData',
  signedDelegation,
)
