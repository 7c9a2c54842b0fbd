// The fate of payments and delegations whose wallets compute other hashes than the node: never their own rivals.
import { expect, test } from '@jest/globals'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { signers } from './clients/signed.ts'
import { get, post, serviceOver, startQuietService, wallet } from './running-service.ts'

const { chain, url } = await startQuietService()
/** The same chain, without an indexer. */
const alone = await serviceOver([nodeServer(chain)])

/** The last one computes the hash that the chain has; those before it others. */
const dialects = Object.entries(signers).map(([version, signer], index, { length }) => ({
  name: `mina-signer ${version}`,
  signer,
  options: index === length - 1 ? { berkeley: true } : undefined,
}))

/** Signs and posts as a wallet of one version does, and keeps the hash that this version computes. */
async function send({ name, signer, options }: (typeof dialects)[number], nonce: number, isPayment: boolean) {
  const [from, to] = [wallet(chain, isPayment ? 'alice' : 'bob'), wallet(chain, 'carol')]
  const common = { fee: '20000000', validUntil: '4294967295', memo: `from ${name.slice(0, 15)}` }
  const payload = { ...common, from: from.publicKey, to: to.publicKey, nonce: String(nonce) }
  const payment = { ...payload, amount: '3000000000' }
  const paid = isPayment ? payment : payload
  const made = isPayment
    ? signer.signPayment(payment, from.privateKey)
    : signer.signStakeDelegation(paid, from.privateKey)
  const whole = { data: paid, publicKey: from.publicKey, signature: made.signature }
  const hash = isPayment ? signer.hashPayment(whole, options) : signer.hashStakeDelegation(whole, options)
  const body = { publicKey: from.publicKey, signature: made.signature, payload: paid }
  const { status, body: answer } = await post(`${url}/broadcast/${isPayment ? 'transaction' : 'delegation'}`, body)
  expect(status).toBe(201)
  const { result } = Object(answer)
  const chainHash: string = (isPayment ? result.payment : result.delegation).hash
  const three = `?from=${paid.from}&nonce=${nonce}&valid_until=${paid.validUntil}`
  const further = `&to=${paid.to}&fee=${paid.fee}&memo=${memoFromText(paid.memo)}`
  const all = `${three}${further}${isPayment ? '&amount=3000000000' : ''}`
  return { name, hash, chainHash, queries: { all, three, none: '' } }
}

type Sent = Awaited<ReturnType<typeof send>>

/** Each answer in short: its state, and whether it names the hash of the chain and another command. */
async function fatesOf({ hash, chainHash, queries }: Sent, front: string) {
  const told = Object.entries(queries).map(async ([terms, query]) => {
    const { status, body } = await get(`${front}/transactions/${hash}${query}`)
    const { transaction = {}, hint } = Object(body)
    const parts = [
      transaction.state ?? status,
      transaction.sending,
      transaction.chainHash === chainHash && 'as on the chain',
      transaction.by === chainHash && transaction.command?.hash === chainHash && 'shown',
      (hint ?? transaction.hint) && 'hint',
    ]
    return [terms, parts.filter(Boolean).join(', ')]
  })
  return Object.fromEntries(await Promise.all(told))
}

/** The answers that are right for a command in a state, by the relation of its hash to the node's. */
function expectedOf({ hash, chainHash }: Sent, state: 'pending' | 'included', unproven: string) {
  if (hash === chainHash) return { all: state, three: state, none: state }
  return { all: `${state}, as on the chain`, three: `${unproven}, shown, hint`, none: '404, hint' }
}

const [waits, used] = ['absent, unknown', 'absent, nonce-used']

test.each([
  ['payments', true],
  ['delegations', false],
] as const)(
  '%s of four versions of a signing library are the commands of their terms in the pool, in a block and deep below, and never their own rivals',
  async (_kind, isPayment) => {
    const sender = wallet(chain, isPayment ? 'alice' : 'bob').publicKey
    const first = chain.account(sender)?.nonce ?? 0
    const sent: Sent[] = []
    for (const [index, dialect] of dialects.entries()) sent.push(await send(dialect, first + index, isPayment))
    const told = async (front: string) => Promise.all(sent.map(async (one) => [one.name, await fatesOf(one, front)]))
    const expected = (state: 'pending' | 'included', unproven: string) =>
      sent.map((one) => [one.name, expectedOf(one, state, unproven)])
    expect(sent.some(({ hash, chainHash }) => hash === chainHash)).toBe(true)
    expect(sent.filter(({ hash, chainHash }) => hash !== chainHash).length).toBe(dialects.length - 1)

    for (const front of [url, alone]) expect(await told(front)).toEqual(expected('pending', waits))
    chain.produceBlock()
    for (const front of [url, alone]) expect(await told(front)).toEqual(expected('included', used))

    for (let made = 0; made < 21; made++) chain.produceBlock()
    expect(await told(url)).toEqual(expected('included', used))
    const fates = { all: 'absent, nonce-used', three: 'absent, nonce-used, hint', none: '404, hint' }
    const unseen = sent.map(({ name }) => [name, fates])
    expect(await told(alone)).toEqual(unseen)

    for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
    expect(await told(url)).toEqual(expected('included', used))
    expect(await told(alone)).toEqual(unseen)

    const askedWith = async ({ hash, queries }: Sent, changed: (query: string) => string) => {
      const { state, sending, by, final, confirmations, hashFromIndexer } = Object(
        (await get(`${url}/transactions/${hash}${changed(queries.all)}`)).body,
      ).transaction
      return { state, sending, by, final, confirmations, hashFromIndexer }
    }
    // The node has forgotten these blocks.
    const byIndexer = { hashFromIndexer: true }
    const depth = { final: true, confirmations: chain.frontierBlocks - 1 }
    for (const one of sent) {
      const isKnown = one.hash === one.chainHash
      const [included, rival] = [
        { state: 'included', ...depth },
        { by: one.chainHash, ...byIndexer },
      ]
      expect(await askedWith(one, (query) => query.replace('fee=20000000', 'fee=20000001'))).toEqual(
        isKnown ? included : { state: 'replaced', ...rival, ...depth },
      )
      expect(await askedWith(one, (query) => query.replace('&amount=3000000000', ''))).toEqual(
        isKnown
          ? included
          : isPayment
            ? { state: 'absent', sending: 'nonce-used', ...rival }
            : { ...included, ...byIndexer },
      )
    }
  },
  60_000,
)

const memo = memoFromText('')
const key = wallet(chain, 'dave').publicKey
const three = `from=${key}&nonce=1&valid_until=1`
const [firstThree, others] = [
  'missing: from, nonce, valid_until are given together or not at all, and to, fee, memo, amount only beside them',
  'missing: to, fee, memo are given together or not at all, and amount only beside them',
]
const noFee = 'fee must be a whole number of nanomina from 0 to 18446744073709551615, given once'
const noMemo = 'memo must be a memo in base58check, 53 characters, E4…, given once'

test.each([
  [`${three}&to=${key}`, `fee, memo are ${others}`],
  ['amount=1', `from, nonce, valid_until are ${firstThree}; to, fee, memo are ${others}`],
  [`${three}&to=${key}&fee=18446744073709551616&memo=rent`, `${noFee}; ${noMemo}`],
])('?%s is refused by name', async (query, message) => {
  const { status, body } = await get(`${url}/transactions/${unheldValues.hash}?${query}`)
  expect([status, body]).toEqual([400, { message }])
})

test('a right hash decides whatever the terms say: those of another account, an amount for a delegation, of a zkApp command', async () => {
  for (let made = 0; made < 20; made++) chain.produceBlock()
  const blocks = chain.bestChain().slice(-20)
  const commands = blocks.flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
  const [zkapp] = blocks.flatMap(({ zkappCommands }) => zkappCommands)
  const [delegation, payment] = ['STAKE_DELEGATION', 'PAYMENT'].map((wanted) =>
    commands.find(({ kind }) => kind === wanted),
  )
  if (delegation === undefined || payment === undefined) throw new Error('no such command')
  const foreign = `${three}&to=${key}&fee=1&memo=${memo}&amount=5`
  const own = `from=${delegation.from}&nonce=${delegation.nonce}&valid_until=${delegation.validUntil}`
  const asPayment = `${own}&to=${delegation.to}&fee=${delegation.fee}&memo=${memoFromText(delegation.memo)}&amount=0`
  const stateOf = async (hash = '', query = '') => {
    const { transaction } = Object((await get(`${url}/transactions/${hash}?${query}`)).body)
    return [transaction.state, transaction.chainHash, transaction.by]
  }
  const { hash } = delegation
  expect([
    await stateOf(payment.hash, foreign),
    await stateOf(zkapp?.hash, foreign),
    await stateOf(hash, asPayment),
    // Without the hash in sight, an amount means another command: a payment.
    await stateOf(unheldValues.hash, asPayment),
  ]).toEqual([
    ['included', undefined, undefined],
    ['included', undefined, undefined],
    ['included', undefined, undefined],
    ['replaced', undefined, hash],
  ])
})
