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
      description:
        'name for which its commands are signed, as mina-signer takes it. Never sign for a network only because a service names it: say which one you mean, and compare',
      examples: ['mainnet', 'devnet', 'testnet'],
    },
    chainId: { ...text, description: 'hexadecimal; a hard fork changes it' },
    genesisStateHash: { ...stateHash, description: 'state hash of the genesis block; a hard fork changes it' },
    k: { ...number, description: 'a block with so many blocks on top is final' },
    slotDurationMs: { ...number, description: 'length of a slot in milliseconds' },
    slotsPerEpoch: { ...number, description: 'number of slots in an epoch' },
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
