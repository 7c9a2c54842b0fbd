// A daemon's status and the constants of its network.
import { randomBytes } from 'node:crypto'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'
import type { Chain } from '../chain.ts'
import { accountCreationFee } from '../ledger/ledger.ts'
import { coinbaseReward } from '../production/block-producer.ts'

const commitId = 'e11e57ad00000000000000000000000000000000'

/** The quotes are part of it, as in a daemon's answer. */
export const version = `"${commitId}"`

export const genesisConstants = ({ genesisTimestamp }: Chain) => ({
  accountCreationFee: String(accountCreationFee),
  coinbase: String(coinbaseReward),
  genesisTimestamp: new Date(genesisTimestamp).toISOString(),
})

/** @param slotSinceGenesis of the first chain; epochs and this clock count from the latest hard fork */
function consensusTime(chain: Chain, slotSinceGenesis: number) {
  const { genesisTimestamp, slotDurationMs, slotsPerEpoch } = chain
  const slot = slotSinceGenesis - chain.genesisBlock().slot
  const startTime = genesisTimestamp + slot * slotDurationMs
  return {
    epoch: String(Math.floor(slot / slotsPerEpoch)),
    slot: String(slot % slotsPerEpoch),
    globalSlot: String(slot),
    startTime: String(startTime),
    endTime: String(startTime + slotDurationMs),
  }
}

export const syncStatus = ({ bootstrapping }: Chain) => (bootstrapping ? 'BOOTSTRAP' : 'SYNCED')

/**
 * A libp2p peer id, `12D3KooW…`, 52 characters. It is new at each start, like that of a daemon without a configured key pair: an
 * Ed25519 key of 32 bytes, the last four of which are a checksum here.
 */
export const newPeerId = (): string =>
  encodeBase58Check(Uint8Array.from([0, 0x24, 8, 1, 0x12, 0x20, ...randomBytes(28)]))

/** Counted since the node's start. */
export interface NodeRun {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly peerId: string
  readonly userCommandsSent: number
}

export function daemonStatus(chain: Chain, { startedAt, peerId, userCommandsSent }: NodeRun) {
  const { slotDurationMs, slotsPerEpoch, frontierBlocks, genesisTimestamp } = chain
  const tip = chain.tip()
  const whenSynced = <T>(value: T) => (chain.bootstrapping ? null : value)
  return {
    numAccounts: whenSynced(chain.ledger().size),
    blockchainLength: whenSynced(tip.height),
    highestBlockLengthReceived: chain.bootstrapping ? 1 : tip.height,
    highestUnvalidatedBlockLengthReceived: tip.height,
    uptimeSecs: Math.floor((chain.now() - startedAt) / 1000),
    ledgerMerkleRoot: whenSynced(tip.stagedLedgerHash),
    stateHash: whenSynced(tip.stateHash),
    chainId: chain.chainId,
    commitId,
    confDir: '',
    peers: [],
    userCommandsSent,
    snarkWorker: null,
    snarkWorkFee: 100_000_000,
    syncStatus: syncStatus(chain),
    catchupStatus: [],
    blockProductionKeys: [],
    coinbaseReceiver: null,
    consensusTimeBestTip: whenSynced(consensusTime(chain, tip.slot)),
    globalSlotSinceGenesisBestTip: whenSynced(tip.slot),
    consensusTimeNow: consensusTime(chain, Math.max(chain.genesisBlock().slot, chain.currentSlot())),
    consensusMechanism: 'proof_of_stake',
    consensusConfiguration: {
      delta: 0,
      k: frontierBlocks - 1,
      slotsPerEpoch,
      slotDuration: slotDurationMs,
      epochDuration: slotsPerEpoch * slotDurationMs,
      genesisStateTimestamp: new Date(genesisTimestamp).toISOString(),
      acceptableNetworkDelay: slotDurationMs,
    },
    addrsAndPorts: {
      ...{ externalIp: '127.0.0.1', bindIp: '127.0.0.1', libp2pPort: 8302, clientPort: 8301 },
      peer: { host: '127.0.0.1', libp2pPort: 8302, peerId },
    },
  }
}
