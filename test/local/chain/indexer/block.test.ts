import { expect, test } from '@jest/globals'
import type { EpochData } from '../../../../local/chain/block.ts'
import { decodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { startMs, startSession } from '../session.ts'
import { indexerOf, integer } from '../upstream.ts'

// Block 24 holds a failed command and zkApp commands too. Before it is an epoch without a block, and its winner delegates
// to its creator, who has another receiver for the coinbase.
const { chain, pay, advance } = startSession({ historyBlocks: 23, slotsPerEpoch: 20 })
pay({ from: 'alice', to: 'erin', amount: 1_000_000_009n, memo: 'grüße, erin' })
advance(390_000)
const block = chain.produceBlock()
chain.reorganise(1)
const indexer = indexerOf(chain)

const fields = `canonical stateHash blockHeight globalSlotSinceGenesis genesisStateHash dateTime receivedTime
  creator creatorUsername creatorAccount { publicKey username } winner winnerAccount { publicKey }
  coinbaseReceiver txFees snarkFees block_num_snarks block_num_user_commands block_num_zkapp_commands
  protocolState { previousStateHash
    blockchainState { date utcDate stagedLedgerHash }
    consensusState { totalCurrency blockchainLength blockHeight epoch hasAncestorInSameCheckpointWindow
      minWindowDensity slot slotSinceGenesis
      nextEpochData { seed epochLength startCheckpoint lockCheckpoint ledger { hash totalCurrency } }
      stakingEpochData { seed startCheckpoint lockCheckpoint ledger { hash totalCurrency } } } }
  transactions { coinbase coinbaseReceiver coinbaseReceiverAccount { publicKey }
    userCommands { hash kind amount fee from sender to receiver receiver_account { publicKey } nonce memo isApplied
      failureReason canonical blockHeight globalSlot tokens } }
  snarkJobs { blockStateHash blockHeight dateTime }`

const epoch = ({ seed, startCheckpoint, lockCheckpoint, ledgerHash, totalCurrency }: EpochData) => ({
  ...{ seed, startCheckpoint, lockCheckpoint, ledger: { hash: ledgerHash, totalCurrency: integer(totalCurrency) } },
})
const total = (amounts: readonly bigint[]) => String(amounts.reduce((sum, amount) => sum + amount, 0n))

test('a block of an indexer has large integers as numbers, some amounts as text, memos decoded, zkApp commands last', async () => {
  const {
    stateHash,
    creator,
    winner,
    coinbaseReceiver,
    stagedLedgerHash,
    slot,
    userCommands,
    zkappCommands,
    snarkJobs,
  } = block
  const dateTime = new Date(block.date).toISOString()
  const username = chain.producers.find(({ publicKey }) => publicKey === creator)?.name
  const inBlock = {
    ...{ canonical: false, blockHeight: 24, globalSlot: slot },
    tokens: ['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'],
  }
  const commands = userCommands.map(
    ({ command: { hash, kind, amount, fee, from, to, nonce, memo }, failureReason }) => ({
      ...{ ...inBlock, hash, kind, amount: integer(amount), fee: integer(fee), from, sender: from, to, receiver: to },
      ...{ receiver_account: { publicKey: to }, nonce, memo, isApplied: failureReason === null, failureReason },
    }),
  )
  const zkapps = zkappCommands.map(({ hash, from, fee, nonce }) => ({
    ...{ ...inBlock, hash, kind: 'ZKAPP', amount: 0, fee: integer(fee), from, sender: from, to: null, receiver: null },
    ...{ receiver_account: null, nonce, memo: '', isApplied: true, failureReason: null },
  }))
  expect([commands.map(({ isApplied }) => isApplied), zkapps.length]).toEqual([[true, true, false], 2])
  expect(new Set([creator, winner, coinbaseReceiver]).size).toBe(3)
  expect(commands[0]?.memo).toBe('grüße, erin')
  expect(await indexer.ask(`{ block(query: {stateHash: "${stateHash}"}) { ${fields} } }`)).toEqual({
    data: {
      block: {
        canonical: false,
        stateHash,
        blockHeight: 24,
        globalSlotSinceGenesis: slot,
        genesisStateHash: chain.genesisBlock().stateHash,
        dateTime,
        receivedTime: new Date(startMs + 390_000).toISOString(),
        creator,
        creatorUsername: expect.stringMatching(new RegExp(`^${username}`, 'i')),
        creatorAccount: { publicKey: creator, username: expect.stringMatching(new RegExp(`^${username}`, 'i')) },
        winner,
        winnerAccount: { publicKey: winner },
        coinbaseReceiver,
        txFees: total([...userCommands.map(({ command }) => command), ...zkappCommands].map(({ fee }) => fee)),
        snarkFees: total(snarkJobs.map(({ fee }) => fee)),
        block_num_snarks: snarkJobs.length,
        block_num_user_commands: commands.length + zkapps.length,
        block_num_zkapp_commands: zkapps.length,
        protocolState: {
          previousStateHash: block.previousStateHash,
          blockchainState: { date: String(block.date), utcDate: String(block.date), stagedLedgerHash },
          consensusState: {
            // Epochs with a block: here one less than the epoch.
            ...{ epoch: 2, blockchainLength: 24, blockHeight: 24, slot: slot - 3 * 20, slotSinceGenesis: slot },
            totalCurrency: block.totalCurrency,
            hasAncestorInSameCheckpointWindow: true,
            minWindowDensity: block.minWindowDensity,
            nextEpochData: { ...epoch(block.nextEpoch), epochLength: block.nextEpoch.epochLength },
            stakingEpochData: epoch(block.stakingEpoch),
          },
        },
        transactions: {
          ...{ coinbase: '720000000000', coinbaseReceiver, coinbaseReceiverAccount: { publicKey: coinbaseReceiver } },
          userCommands: [...commands, ...zkapps],
        },
        snarkJobs: snarkJobs.map(() => ({ blockStateHash: stateHash, blockHeight: 24, dateTime })),
      },
    },
  })
})

test('the VRF output of a block is its 32 bytes in URL-safe base64, that of the genesis block has its checksum too', async () => {
  const answer = await indexer.ask(
    '{ blocks(sortBy: BLOCKHEIGHT_ASC) { protocolState { consensusState { lastVrfOutput } } } }',
  )
  const [genesis = '', ...others] = Array.from(
    JSON.stringify(answer).matchAll(/lastVrfOutput":"([^"]*)"/g),
    ([, text]) => text,
  )
  const bytesOf = (vrfOutput: string) => Buffer.from(decodeBase58Check(vrfOutput) ?? [])
  const padded = (bytes: Buffer) => `${bytes.toString('base64url')}=`
  expect(others.toSorted()).toEqual(
    chain
      .allBlocks()
      .slice(1)
      .map(({ vrfOutput }) => padded(bytesOf(vrfOutput).subarray(2)))
      .toSorted(),
  )
  expect(others.join()).toMatch(/[-_]/)
  const { vrfOutput } = chain.genesisBlock()
  const decoded = Buffer.from(genesis, 'base64url')
  expect(genesis).toBe(padded(decoded))
  expect(decoded.subarray(0, 34)).toEqual(bytesOf(vrfOutput))
  expect(decoded).toHaveLength(34 + 4)
})

test('a block that does not exist is null or missing from the list, and a malformed state hash is an error', async () => {
  const other = startSession({ seed: 'elsewhere', historyBlocks: 1 }).chain.tip().stateHash
  const ask = (hash: string) =>
    indexer.ask(
      `{ block(query: {stateHash: "${hash}"}) { stateHash } blocks(query: {stateHash: "${hash}"}) { stateHash } }`,
    )
  expect(await ask(other)).toEqual({ data: { block: null, blocks: [] } })
  expect(await ask('3Nx')).toMatchObject({ data: null, errors: [{ message: 'Invalid state hash: 3Nx' }, {}] })
})
