import { describe, expect, test } from '@jest/globals'
import { getSummary, summaryWith } from '../../../shared/endpoints/get-summary.ts'
import { blockWire, childWire, constantsWire, parentHash, stateHash } from '../mapping/node-wire.ts'
import { recording, replying } from './asking.ts'

const daemonStatus = { chainId: 'a7351abc', consensusConfiguration: { ...constantsWire, slotDuration: 90_000 } }

describe('GET /summary', () => {
  test('describes the tip, with the chain id of its network, for which an instance asks once, beside the tip', async () => {
    const { context, asked } = recording({ data: { bestChain: [blockWire], daemonStatus } })
    await getSummary.run({}, context)
    expect(await getSummary.run({}, context)).toMatchObject({
      status: 200,
      caching: getSummary.caching[200]?.complete,
      version: ['node', blockWire.stateHash, 'a7351abc', ''],
    })
    expect(asked.map(({ operation }) => operation)).toEqual(['nodeNetwork', 'chainSummary', 'chainSummary'])
  })

  test('has every field of the contract', async () => {
    const { body } = await getSummary.run({}, replying({ data: { bestChain: [blockWire], daemonStatus } }))
    expect(body).toEqual({
      blockchainLength: 3,
      chainId: 'a7351abc',
      circulatingSupply: '1166062074.840039233',
      dateTime: 'Wed, 17 Mar 2021 00:03:00 GMT',
      epoch: 4,
      globalSlot: 7,
      lockedSupply: '0.000000000',
      minWindowDensity: 77,
      nextEpochLedgerHash: 'jx-next',
      previousStateHash: parentHash,
      slot: 6,
      snarkedLedgerHash: blockWire.protocolState.blockchainState.snarkedLedgerHash,
      stagedLedgerHash: blockWire.protocolState.blockchainState.stagedLedgerHash,
      stakingEpochLedgerHash: 'jx-staking',
      stateHash,
      totalCurrency: '1166062074.840039233',
    })
  })

  test('reports height, time and slot duration of the tip to the metrics', async () => {
    const reply = { data: { bestChain: [blockWire], daemonStatus } }
    const { observed } = await getSummary.run({}, replying(reply))
    const { date } = blockWire.protocolState.blockchainState
    expect(observed).toEqual({ tipHeight: 3, tipAtMs: Number(date), slotDurationMs: 90_000 })
  })

  test('subtracts from the circulating supply the amount in the table at the slot of the tip, and bases its tag on the table', async () => {
    const table = [
      { slot: 6, lockedNanomina: 5n },
      { slot: 7, lockedNanomina: 66062074840039233n },
      { slot: 8, lockedNanomina: 7n },
    ]
    const reply = { data: { bestChain: [blockWire], daemonStatus } }
    expect(await summaryWith(table).run({}, replying(reply))).toMatchObject({
      body: {
        totalCurrency: '1166062074.840039233',
        lockedSupply: '66062074.840039233',
        circulatingSupply: '1100000000.000000000',
      },
      version: ['node', blockWire.stateHash, daemonStatus.chainId, '6:5,7:66062074840039233,8:7'],
    })
  })

  test('never has a negative circulating supply', async () => {
    const reply = { data: { bestChain: [blockWire], daemonStatus } }
    const { body } = await summaryWith([{ slot: 0, lockedNanomina: 2n * 10n ** 18n }]).run({}, replying(reply))
    expect(body).toMatchObject({ lockedSupply: '2000000000.000000000', circulatingSupply: '0.000000000' })
  })

  test.each([
    ['without a frontier', { data: { bestChain: null, daemonStatus } }, 'busy'],
    ['with an empty chain', { data: { bestChain: [], daemonStatus } }, 'busy'],
    ['without the chain', { data: { daemonStatus } }, 'unreadable'],
    ['without a chain id', { data: { bestChain: [blockWire] } }, 'busy'],
    [
      'with two blocks for one',
      { data: { bestChain: [blockWire, childWire(blockWire, 'tip')], daemonStatus } },
      'mismatched',
    ],
  ] as const)('is upstream trouble for an answer %s', async (_what, reply, fault) => {
    await expect(getSummary.run({}, replying(reply))).rejects.toMatchObject({ fault })
  })
})
