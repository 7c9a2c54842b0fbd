import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { getNetwork } from '../../../shared/endpoints/get-network.ts'
import { nodeTipWire, stateHash } from '../mapping/node-wire.ts'
import { contextOf, replying, whole } from './asking.ts'

const consensusConfiguration = { k: 290, slotDuration: 90_000, slotsPerEpoch: 7140 }
const data = {
  bestChain: [nodeTipWire],
  genesisBlock: { stateHash },
  daemonStatus: { chainId: 'a7351abc', consensusConfiguration },
  genesisConstants: { accountCreationFee: '1000000000', coinbase: '360000000000' },
  networkID: 'mina:mainnet',
}
const tipAtMs = Number(nodeTipWire.protocolState.blockchainState.date)

const clockAt = (now: number) => ({ ...hurriedClock, now: () => now })

describe('GET /network', () => {
  test('has the constants of the node, amounts as text, and the name that wallets sign for', async () => {
    const context = contextOf(async () => whole({ data }), { clock: clockAt(tipAtMs + 5 * 90_000) })
    expect(await getNetwork.run({}, context)).toEqual({
      status: 200,
      body: {
        networkName: 'mainnet',
        chainId: 'a7351abc',
        genesisStateHash: stateHash,
        k: 290,
        slotDurationMs: 90_000,
        slotsPerEpoch: 7140,
        coinbase: '360000000000',
        accountCreationFee: '1000000000',
        minimumFee: '1000000',
      },
      caching: getNetwork.caching[200]?.steady,
    })
  })

  test('is kept for a second once the tip is more than five slots old, or two networks are pinned', async () => {
    const query = async () => whole({ data })
    const old = contextOf(query, { clock: clockAt(tipAtMs + 5 * 90_000 + 1) })
    const pinned = createChain({
      nodes: [{ name: 'node', query, sharedAddress: true }],
      clock: clockAt(tipAtMs),
      random: () => 0,
      genesisStateHashes: [stateHash, 'the next one'],
    }).exchange({ withinMs: 10_000 })
    for (const context of [old, pinned]) {
      expect(await getNetwork.run({}, context)).toMatchObject({ caching: { maxAgeSeconds: 1 } })
    }
  })

  test.each([
    [{ data: { ...data, bestChain: null } }, 'busy'],
    [{ data: { ...data, networkID: 'http://10.1.2.3/ of the node' } }, 'unreadable'],
    [{ data: { ...data, networkID: 'mina:' } }, 'mismatched'],
    [{ data: { ...data, daemonStatus: { chainId: 'a7351abc', consensusConfiguration: null } } }, 'unreadable'],
    [{ data: { ...data, genesisConstants: { coinbase: '0.5', accountCreationFee: '1' } } }, 'unreadable'],
  ] as const)('is upstream trouble for %j', async (reply, fault) => {
    await expect(getNetwork.run({}, replying(reply))).rejects.toMatchObject({ fault })
  })
})
