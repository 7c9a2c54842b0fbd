// Broadcasts over HTTP, through gateway and embedded chain: delegations as XML, and commands that are sent again. What the
// XML parser refuses is in test/functions/runtime/xml-body.test.ts.
import { afterEach, expect, test } from '@jest/globals'
import { rawSignatureOf } from '../../local/examples/signed-forms.ts'
import { xmlDocument } from '../functions/xml-document.ts'
import { runService, signDelegation, signPayment, wallet } from './running-service.ts'

const service = await runService()
const { chain } = service
afterEach(() => {
  service.received.length = 0
})

async function post(path: string, type: string | undefined, body: string) {
  const headers = type === undefined ? undefined : { 'content-type': type }
  // As bytes: fetch names a content type for text.
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    body: Buffer.from(body),
    ...(headers && { headers }),
  })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

const delegateAs = (type: string | undefined, body: string) => post('/broadcast/delegation', type, body)

const delegate = (body: string) => delegateAs('application/xml', body)

const refused = (error: unknown) => ({
  status: 400,
  type: 'application/json',
  body: { message: 'Error in sending delegation', error },
})

const notXml = 'body must be XML with one root, nested a few levels deep, without document type or entities'
const untyped = 'body is XML: send it with the content type application/xml'

/** To dave. */
const signed = (from = 'carol', changes: object = {}) =>
  signDelegation(chain, wallet(chain, from), wallet(chain, 'dave'), changes)

test.each([
  ['application/xml', 'alice', ' two  blanks '],
  ['text/xml; charset=utf-8', 'bob', '<a> & "b" ä'],
  ['Application/XML ;q=1', 'erin', '0012'],
])('a signed delegation as %s gets 201 in JSON and is in the pool as it was signed', async (type, from, memo) => {
  const delegation = signed(from, { memo })
  const { publicKey, payload } = delegation
  const answer = await delegateAs(type, xmlDocument(delegation))
  expect(answer).toEqual({
    status: 201,
    type: 'application/json',
    body: {
      message: 'Delegation broadcast sucessfully',
      result: { delegation: expect.objectContaining({ from: publicKey, to: payload.to, nonce: 0 }) },
    },
  })
  expect(chain.pool(publicKey)).toMatchObject([{ from: publicKey, to: payload.to, memo }])
  expect(service.received).toHaveLength(1)
})

test('a carriage return in a memo reaches the node as &#13;; raw it is a line feed, which was not signed', async () => {
  const delegation = signed('frank', { memo: 'two\rlines' })
  const kept = xmlDocument(delegation)
  expect(kept).toContain('<memo>two&#13;lines</memo>')
  expect(await delegate(kept.replace('&#13;', '\r'))).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/signature/i) },
  })
  expect(chain.pool(delegation.publicKey)).toEqual([])
  expect(await delegate(kept)).toMatchObject({ status: 201 })
  expect(chain.pool(delegation.publicKey)).toMatchObject([{ memo: 'two\rlines' }])
})

test.each([
  ['without anything', () => ({})],
  ['with empty texts', () => ({ ...signed(), publicKey: '', signature: { field: '', scalar: '' } })],
  ['with an empty memo', () => ({ ...signed(), payload: { ...signed().payload, memo: '' } })],
  ['with leading zeros', () => ({ ...signed(), payload: { ...signed().payload, nonce: '007' } })],
  ['with a number given twice', () => ({ ...signed(), payload: { ...signed().payload, fee: ['1', '2'] } })],
])('a delegation %s gets the answer that it gets as JSON, and is not sent', async (_what, faulty) => {
  const value = JSON.parse(JSON.stringify(faulty()))
  // An empty document has text, not an object without keys.
  const xml = await delegate(xmlDocument({ ...value, extra: '1' }))
  expect(xml).toEqual(refused(expect.stringMatching(/^\/[a-z]/i)))
  expect(xml).toEqual(await delegateAs('application/json', JSON.stringify(value)))
  expect(service.received).toEqual([])
})

test('XML that the parser refuses gets 400, is not sent, and leaves no signature in the log', async () => {
  const lines = service.log.length
  expect(await delegate(`${xmlDocument(signed())}<delegation/>`)).toEqual(refused(notXml))
  expect(service.received).toEqual([])
  expect(service.log.slice(lines)).toMatchObject([{ status: 400, upstream: [] }])
  expect(JSON.stringify(service.log.slice(lines))).not.toMatch(/\d{20}/)
})

test.each([undefined, 'text/plain', 'application/json', 'application/xml-dtd', 'application/soap+xml', 'text/xmlx'])(
  'XML with the content type %s is taken for JSON, and refused',
  async (type) => {
    expect(await delegateAs(type, xmlDocument(signed()))).toEqual(refused(untyped))
    expect(service.received).toEqual([])
  },
)

test('a payment is JSON whatever its content type', async () => {
  const payment = signPayment(chain, wallet(chain, 'heidi'), wallet(chain, 'bob'))
  const path = '/broadcast/transaction'
  expect(await post(path, 'application/xml', xmlDocument(payment))).toMatchObject({
    status: 400,
    body: { message: 'Error in sending transaction', error: 'body is not JSON: it is XML' },
  })
  expect(await post(path, 'application/xml', JSON.stringify(payment))).toMatchObject({ status: 201 })
})

const pay = (body: object) => post('/broadcast/transaction', 'application/json', JSON.stringify(body))

test('the same signed command sent again, queued or included, is 201 with the same body', async () => {
  const [judy, bob] = [wallet(chain, 'judy'), wallet(chain, 'bob')]
  const signed = signPayment(chain, judy, bob)
  const first = await pay(signed)
  const queued = await pay(signed)
  chain.produceBlock()
  const included = await pay(signed)
  expect(first.status).toBe(201)
  expect([queued, included]).toEqual([first, first])
  expect(chain.pool(judy.publicKey)).toEqual([])
})

test('the same command in another form, with its signature raw in either byte order, is 201 with the same body', async () => {
  const grace = wallet(chain, 'grace')
  const { publicKey, signature, payload } = signPayment(chain, grace, wallet(chain, 'bob'))
  const raw = rawSignatureOf(signature)
  const halves = [raw.slice(0, 64), raw.slice(64)]
  const rawOfDevice = halves.map((half) => half.match(/../g)?.reverse().join('')).join('')
  const { validUntil, ...terms } = payload
  const answers = [
    await pay({ signature, data: payload }),
    await pay({ publicKey, signature: { rawSignature: raw }, payload }),
    await pay({ signature: rawOfDevice, data: payload }),
    await pay({ signature: raw, payment: { ...terms, valid_until: validUntil } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(chain.pool(publicKey)).toHaveLength(1)
})
