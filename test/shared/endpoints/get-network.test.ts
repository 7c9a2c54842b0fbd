import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { getNetwork } from '../../../shared/endpoints/get-network.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
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

/** A node that says what to sign for in this way. */
const saying = (reply: Partial<Reply> | Error, clock = clockAt(tipAtMs)) =>
  contextOf(
    async ({ name }) => {
      if (name !== 'signatureKind') return whole({ data })
      if (reply instanceof Error) throw reply
      return { status: 200, errors: [], data: undefined, ...reply }
    },
    { clock },
  )
const kind = (signatureKind: string) =>
  whole({ data: { bestChain: [nodeTipWire], genesisBlock: { stateHash }, signatureKind } })

describe('GET /network', () => {
  test('has the constants of the node, amounts as text, its name, and the name that wallets sign for', async () => {
    const context = saying(kind('mainnet'), clockAt(tipAtMs + 5 * 90_000))
    expect(await getNetwork.run({}, context)).toEqual({
      status: 200,
      body: {
        networkName: 'mainnet',
        signatureKind: 'mainnet',
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
    const query = async ({ name }: { readonly name: string }) =>
      name === 'signatureKind' ? kind('mainnet') : whole({ data })
    const old = contextOf(query, { clock: clockAt(tipAtMs + 5 * 90_000 + 1) })
    const pinned = createChain({
      nodes: [{ name: 'node', query, sharedAddress: true }],
      clock: clockAt(tipAtMs),
      random: () => 0,
      genesisStateHashes: [stateHash, 'the next one'],
    }).view({ withinMs: 10_000 })
    for (const context of [old, pinned]) {
      expect(await getNetwork.run({}, context)).toMatchObject({ caching: { maxAgeSeconds: 1 } })
    }
  })

  test.each([
    ['testnet', 'testnet'],
    ['other network: rehearsal', 'rehearsal'],
    // mina-signer takes the name for another network's.
    ['other network: devnet', undefined],
  ])('names what to sign for as mina-signer takes it, of a node that says %j', async (given, signatureKind) => {
    const { body } = await getNetwork.run({}, saying(kind(given)))
    expect(body).toMatchObject({ networkName: 'mainnet', chainId: 'a7351abc' })
    expect(Object(body).signatureKind).toBe(signatureKind)
  })

  test.each([
    [200, "Field 'signatureKind' is not defined on type 'query'"],
    [400, 'Unknown field "signatureKind" on type "Query"'],
  ])('does not name it, and keeps a node that is older than the question: HTTP %i, %s', async (status, error) => {
    const context = saying({ status, data: null, errors: [error] })
    for (let turn = 0; turn < 5; turn += 1) {
      const { body, headers, caching } = await getNetwork.run({}, context)
      expect({ body, headers, caching }).toEqual({
        body: expect.not.objectContaining({ signatureKind: expect.anything() }),
        headers: undefined,
        caching: getNetwork.caching[200]?.steady,
      })
    }
    expect(context.nodeStatus(0)).toBe('used')
  })

  test.each([[{ status: 503, data: null }], [kind('<b>')], [new WireError('timeout', 'too late')]])(
    'names the field as missing where the node does not answer: %j',
    async (reply) => {
      expect(await getNetwork.run({}, saying(reply))).toMatchObject({
        body: expect.not.objectContaining({ signatureKind: expect.anything() }),
        headers: { 'x-missing-fields': 'signatureKind' },
        caching: { maxAgeSeconds: 1 },
      })
    },
  )

  test.each([
    [{ data: { ...data, bestChain: null } }, 'busy'],
    [{ data: { ...data, networkID: 'http://10.1.2.3/ of the node' } }, 'unreadable'],
    [{ data: { ...data, networkID: 'mina:' } }, 'mismatched'],
    [{ data: { ...data, daemonStatus: { chainId: 'a7351abc', consensusConfiguration: null } } }, 'busy'],
    [{ data: { ...data, genesisConstants: { coinbase: '0.5', accountCreationFee: '1' } } }, 'unreadable'],
  ] as const)('is upstream trouble for %j', async (reply, fault) => {
    await expect(getNetwork.run({}, replying(reply))).rejects.toMatchObject({ fault })
  })
})
