// The constants of the network: an addition to the contract.
import { nanominaText, number, stateHash, text } from './scalars.ts'

/** The answer of GET /network. */
export const network = {
  type: 'object',
  title: 'Network',
  description: 'the constants of the network, which a program needs to sign commands and to count slots',
  properties: {
    networkName: {
      ...text,
      description: 'name of the network. Say which one you mean, and compare',
      examples: ['mainnet', 'devnet', 'testnet'],
    },
    signatureKind: {
      ...text,
      description:
        'name for which its commands are signed, as mina-signer takes it: `mainnet`, `testnet`, or any other as `{ custom: name }`. It is `testnet` on devnet, and on a private network it need not be the network’s name. Never sign for a name only because a service gives it: say which one you mean, and compare. Absent where the node does not know the question, or mina-signer cannot sign for its network; absent and named in `x-missing-fields` where the node does not answer',
      examples: ['mainnet', 'testnet'],
    },
    chainId: { ...text, description: 'hexadecimal; a hard fork changes it' },
    genesisStateHash: { ...stateHash, description: 'state hash of the genesis block; a hard fork changes it' },
    k: { ...number, description: 'a block with so many blocks on top is final' },
    slotDurationMs: {
      ...number,
      description:
        'length of a slot in milliseconds. A hard fork may change it: it dates no slot before the genesis block',
    },
    slotsPerEpoch: { ...number, description: 'number of slots in an epoch, which count from the genesis block' },
    coinbase: { ...nanominaText, description: 'reward for a block: nanomina, decimal digits' },
    accountCreationFee: {
      ...nanominaText,
      description: 'comes off the amount that makes an account: nanomina, decimal digits',
    },
    minimumFee: {
      ...nanominaText,
      description:
        'a node refuses a command with a lower fee; no node tells it, so it is a constant: nanomina, decimal digits',
    },
  },
  required: [
    'networkName',
    'chainId',
    'genesisStateHash',
    'k',
    'slotDurationMs',
    'slotsPerEpoch',
    'coinbase',
    'accountCreationFee',
    'minimumFee',
  ],
} as const
