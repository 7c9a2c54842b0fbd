// What real signers make of terms that are null, and their commands that belong to the other path or to none.
import { expect, test } from '@jest/globals'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import Signer4 from 'mina-signer-4'
import { rawSignatureOf } from '../../local/examples/signed-forms.ts'
import { runService, wallet } from './running-service.ts'

const { chain, url } = await runService()

type Terms = Readonly<Record<string, string | number | null | undefined>>
interface Signed {
  readonly signature: { readonly field: string; readonly scalar: string }
  readonly data: Terms
}

/** The part that every version has; their types differ, and none of them allows a null. */
interface Signer {
  signPayment(terms: Terms, privateKey: string): Signed
  signStakeDelegation(terms: Terms, privateKey: string): Signed
  signTransaction(terms: Terms, privateKey: string): Signed
}

const signers = Object.entries({ alice: Signer1, bob: Signer2, carol: Signer3, dave: Signer4 }).map(
  ([name, Version]) => [name, new Version({ network: chain.network }) as unknown as Signer] as const,
)
const [, , , [, signer]] = signers as [unknown, unknown, unknown, readonly [string, Signer]]

const termsOf = (name: string) => {
  const { publicKey: from } = wallet(chain, name)
  return { to: wallet(chain, 'erin').publicKey, from, fee: '10000000', nonce: String(chain.account(from)?.nonce) }
}
const payment = (name: string) => ({ ...termsOf(name), amount: '1' })

async function post(path: string, body: object) {
  const response = await fetch(`${url}/broadcast/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const { error = '' } = Object(await response.json())
  return { status: response.status, code: response.headers.get('x-broadcast-code'), error: String(error) }
}

const wrong = (sentence: string) => ({
  ...{ status: 400, code: 'invalid-signature' },
  error: expect.stringMatching(new RegExp(`${sentence.replaceAll(/[.$]/g, '\\$&')}$`)),
})
const sent = { status: 201, code: null, error: '' }

test.each(signers)(
  'a memo that was null when mina-signer signed for %s is sent, or named as the reason',
  async (name, each) => {
    const { privateKey } = wallet(chain, name)
    const sentence =
      '`memo` was null and read as empty: mina-signer 2 to 4 sign the word null for it; send `"memo": "null"` with this signature.'
    const isEmpty = name === 'alice'
    for (const [path, { signature, data }] of [
      ['transaction', each.signPayment({ ...payment(name), memo: null }, privateKey)],
      ['delegation', each.signStakeDelegation({ ...termsOf(name), nonce: '1', memo: null }, privateKey)],
    ] as const) {
      const withMemo = (memo: string | null) => post(path, { signature, data: { ...data, memo } })
      expect(await withMemo(null)).toEqual(isEmpty ? sent : wrong(sentence))
      expect(await withMemo('null')).toMatchObject(isEmpty ? { code: 'invalid-signature' } : sent)
    }
  },
)

test.each([null, undefined])(
  'a valid_until of %s, for which rosetta-sdk-go signs 0, is named as the reason',
  async (given) => {
    const { privateKey } = wallet(chain, 'frank')
    const sentence = `\`valid_until\` was ${given === null ? 'null' : 'missing'} and read as 4294967295: rosetta-sdk-go signs 0 for it; send \`"valid_until": "0"\` with this signature.`
    const { to, from, ...common } = termsOf('frank')
    const memo = 'hi'
    const paid = signer.signPayment({ ...payment('frank'), memo, validUntil: '0' }, privateKey)
    const delegated = signer.signStakeDelegation({ ...termsOf('frank'), memo, validUntil: '0' }, privateKey)
    const answersWith = async (valid_until: string | null | undefined) => [
      await post('transaction', {
        signature: rawSignatureOf(paid.signature),
        payment: { ...payment('frank'), token: '1', memo, valid_until },
        stake_delegation: null,
      }),
      await post('delegation', {
        signature: rawSignatureOf(delegated.signature),
        payment: null,
        stake_delegation: { ...common, delegator: from, new_delegate: to, memo, valid_until },
      }),
    ]
    expect(await answersWith(given)).toEqual([wrong(sentence), wrong(sentence)])
    expect(await answersWith('0')).toMatchObject([{ code: 'expired' }, { code: 'expired' }])
  },
)

test('a term that nobody is known to sign otherwise is named all the same, and none that was given', async () => {
  const { privateKey } = wallet(chain, 'grace')
  const { signature, data } = signer.signPayment({ ...payment('grace'), memo: 'rent', validUntil: '7' }, privateKey)
  const { memo: _, validUntil: __, ...bare } = data
  expect((await post('transaction', { signature, data: bare })).error).toMatch(
    /`memo` was missing and read as empty: send the value that was signed\. `validUntil` was missing and read as 4294967295: send the value that was signed\.$/,
  )
  expect((await post('transaction', { signature, data: { ...data, amount: '2' }, filled: 7 })).error).not.toMatch(/was/)
  expect((await post('transaction', { publicKey: bare.from, signature, payload: data, filled: 7 })).code).toBe(
    'expired',
  )
})

test.each([5, 0, '0'])(
  'a payment of %j made by signTransaction is sent from the path of delegations to its own',
  async (amount) => {
    const { privateKey } = wallet(chain, 'heidi')
    const signed = signer.signTransaction({ ...termsOf('heidi'), amount }, privateKey)
    expect(await post('delegation', signed)).toEqual(
      wrong('If a payment was signed, send it to /broadcast/transaction.'),
    )
  },
)

test('a zkApp command is refused as such, by the shape of o1js or mina-signer', async () => {
  const feePayer = {
    body: { publicKey: termsOf('judy').from, fee: '1', validUntil: null, nonce: '0' },
    authorization: '7m',
  }
  const zkappCommand = { feePayer, accountUpdates: [], memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH' }
  const signed = (
    signer as unknown as { signZkappCommand(command: object, privateKey: string): object }
  ).signZkappCommand(
    { zkappCommand, feePayer: { feePayer: termsOf('judy').from, fee: '10000000', nonce: '0', memo: '' } },
    wallet(chain, 'judy').privateKey,
  )
  const refused = (at: string) => ({
    ...{ status: 400, code: 'invalid-request' },
    error: `${at} is a zkApp command: those cannot be sent here, send it to a node`,
  })
  for (const path of ['transaction', 'delegation']) {
    const answers = [await post(path, zkappCommand), await post(path, { zkappCommand }), await post(path, signed)]
    expect(answers).toEqual([refused('body'), refused('body'), refused('/data')])
  }
})
