import { describe, expect, test } from '@jest/globals'
import { getAccountTokens } from '../../../shared/endpoints/get-account-tokens.ts'
import { alice, bob, nodeTipWire, stateHash } from '../mapping/node-wire.ts'
import { recording, replying } from './asking.ts'

const mina = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
const other = 'xosVXFFDvDiKvHSDAaHvrTSRtoa5Graf2J7LM5Smb4GNTrT2Hn'
const account = (tokenId: string, total: string, tokenSymbol: string | null = '', publicKey = alice) => ({
  publicKey,
  tokenId,
  tokenSymbol,
  balance: { total },
})
const holding = (...accounts: object[]) => ({
  data: { accounts, bestChain: [nodeTipWire], genesisBlock: { stateHash } },
})

describe('GET /accounts/{public_key}/tokens', () => {
  test('lists every token of the key, MINA first, in whole units however large, after one round trip', async () => {
    const { context, asked } = recording(
      holding(
        account(other, '18446744073709551615', 'MINA'),
        account(mina, '1500000000'),
        account(stateHash, '0', null),
      ),
    )
    expect(await getAccountTokens.run({ publicKey: alice }, context)).toEqual({
      status: 200,
      body: {
        tokens: [
          { tokenId: mina, balance: '1500000000' },
          { tokenId: other, balance: '18446744073709551615', symbol: 'MINA' },
          { tokenId: stateHash, balance: '0' },
        ],
      },
      caching: getAccountTokens.caching[200]?.complete,
    })
    expect(asked).toEqual([{ operation: 'accountsByPublicKey', variables: { publicKey: alice } }])
  })

  test('is empty for a key that a live node does not know', async () => {
    expect(await getAccountTokens.run({ publicKey: alice }, replying(holding()))).toMatchObject({
      status: 200,
      body: { tokens: [] },
    })
  })

  test.each([
    ['a node without a frontier', { data: { accounts: [], bestChain: null, genesisBlock: { stateHash } } }, 'busy'],
    ['the account of another key', holding(account(mina, '1', '', bob)), 'mismatched'],
    ['one token twice', holding(account(mina, '1'), account(mina, '2')), 'mismatched'],
    ['a fraction', holding(account(mina, '0.5')), 'unreadable'],
  ] as const)('is upstream trouble for %s', async (_what, reply, fault) => {
    await expect(getAccountTokens.run({ publicKey: alice }, replying(reply))).rejects.toMatchObject({ fault })
  })
})
