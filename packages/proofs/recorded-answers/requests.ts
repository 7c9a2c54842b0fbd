// Requests as anybody may make them, drawn by a seed over a chain: each endpoint with right, odd and wrong values.
import Client from 'mina-signer'
import { heldValues, impossibleValues, type PathValues, unheldValues } from '../../../shared/contract/parameters.ts'
import type { Kind, QueryDeclaration } from '../../../shared/contract/query/kinds.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Chain, Wallet } from '../../testnet/chain.ts'
import { integerBetween, pick, type Random } from '../../testnet/random.ts'
import { unheldText } from '../unheld-values.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Asks again with the entity tag of the first answer. */
  readonly withTag?: boolean
}

/** Options that some other service has, and what trackers add. */
const foreignNames = ['publicKey', 'order', 'count', 'page', 'height', 'token', 'utm_source', '_', 'fbclid']

/** Texts that fit some options and not others. */
const anyTexts = ['0', '1', '2', '3', '10', '007', '101', '10000000', '4294967296', '-1', '1.5', 'x', 'x-y', '']

const allOptions: QueryDeclaration = Object.assign({}, ...endpoints.map(({ query }) => query?.options))
const allNames = [...Object.keys(allOptions), ...foreignNames]

const pathOf = (template: string, values: PathValues): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name as keyof PathValues])

/** Values of the chain as it stands, for path parameters. */
function valuesOf(random: Random, chain: Chain): PathValues {
  const dice = random()
  if (dice < 0.06) return impossibleValues
  if (dice < 0.14) return unheldValues
  const blocks = dice < 0.3 ? chain.bestChain() : dice < 0.36 ? chain.allBlocks() : chain.frontier()
  const block = pick(random, blocks)
  const hashes = [
    ...block.userCommands.map(({ command }) => command.hash),
    ...block.zkappCommands.map(({ hash }) => hash),
  ]
  const keys = [...chain.wallets, ...chain.producers].map(({ publicKey }) => publicKey)
  return heldValues({
    stateHash: block.stateHash,
    creator: pick(random, keys),
    transactionHash: pick(random, [...hashes, unheldValues.hash]),
    blockHeight: block.height,
  })
}

/** One to three options, more than half of them those that the endpoint has. */
function queryOf(random: Random, chain: Chain, own: readonly string[]): string {
  const block = pick(random, chain.bestChain())
  const held: { readonly [Each in Kind]?: string } = {
    key: pick(random, chain.wallets).publicKey,
    cursor: `${block.height}-${block.stateHash}`,
  }
  const textFor = (name: string): string => {
    const option = allOptions[name]
    if (option === undefined || random() < 0.4) return pick(random, anyTexts)
    return held[option.kind] ?? unheldText(option, integerBetween(random, 0, 9))
  }
  const pairs = Array.from({ length: integerBetween(random, 1, 3) }, () => {
    const name = pick(random, own.length > 0 && random() < 0.6 ? own : allNames)
    return `${name}=${encodeURIComponent(textFor(name))}`
  })
  return `?${pairs.join('&')}`
}

/** All terms of a command of the chain, as a wallet gives them; sometimes with one that differs. */
function termsOf(random: Random, chain: Chain): string {
  const blocks = chain.bestChain().filter(({ userCommands }) => userCommands.length > 0)
  const { command } = pick(random, pick(random, blocks).userCommands)
  const { from, to, nonce, fee, amount, memo, validUntil, hash } = command
  const terms: Record<string, unknown> = { from, nonce, valid_until: validUntil }
  if (random() < 0.7) Object.assign(terms, { to, fee: random() < 0.3 ? fee + 1n : fee, memo })
  if (random() < 0.6 && command.kind === 'PAYMENT') terms.amount = amount
  const query = Object.entries(terms).map(([name, value]) => `${name}=${value}`)
  return `/transactions/${random() < 0.5 ? hash : unheldValues.hash}?${query.join('&')}`
}

const memos = ['rent', ' ', 'grüße', '\u{FFFD}'] as const

/** Signed commands and bodies that are none; the service and the chain see the same in both versions. */
function broadcast(random: Random, chain: Chain): RecordedRequest {
  const signer = new Client({ network: chain.network })
  const [from, to] = [pick(random, chain.wallets), pick(random, chain.wallets)]
  const account = chain.account(from.publicKey)
  const nextNonce = account === undefined ? 0 : chain.inferredNonce(account)
  const nonce = String(Math.max(0, nextNonce + pick(random, [0, 0, 0, 0, 1, -1])))
  const terms = {
    from: from.publicKey,
    to: to.publicKey,
    nonce,
    fee: '10000000',
    validUntil: '4294967295',
    memo: pick(random, memos),
  }
  const isPayment = random() < 0.6
  const kind = isPayment ? 'transaction' : 'delegation'
  const signed = isPayment
    ? signer.signPayment({ ...terms, amount: String(integerBetween(random, 1, 3_000_000_000)) }, from.privateKey)
    : signer.signStakeDelegation(terms, from.privateKey)
  return { method: 'POST', path: `/broadcast/${kind}`, ...bodyOf(random, signed, from) }
}

function bodyOf(
  random: Random,
  { signature, data }: { readonly signature: object; readonly data: object },
  { publicKey }: Pick<Wallet, 'publicKey'>,
): Pick<RecordedRequest, 'headers' | 'body'> {
  const json = { 'content-type': 'application/json' }
  const contract = { publicKey, signature, payload: stringified(data) }
  const forms: readonly (() => Pick<RecordedRequest, 'headers' | 'body'>)[] = [
    () => ({ headers: json, body: JSON.stringify(contract) }),
    () => ({ headers: { 'content-type': 'text/plain' }, body: JSON.stringify(contract) }),
    () => ({ headers: json, body: JSON.stringify({ publicKey, signature, data: stringified(data) }) }),
    () => ({ headers: { 'content-type': 'application/xml' }, body: xmlOf(contract) }),
    () => ({ headers: json, body: JSON.stringify({ ...contract, signature: { field: '1', scalar: '2' } }) }),
    () => ({
      headers: json,
      body: JSON.stringify({ ...contract, payload: { ...contract.payload, memo: '', fee: 1 } }),
    }),
    () => ({ headers: json, body: JSON.stringify({ publicKey }) }),
    () => ({
      headers: json,
      body: pick(random, ['', '{', '[]', 'null', "{'a':1}", '{"a":1,}', '{"a":NaN}', '{} {}', 'a=1&b=2']),
    }),
  ]
  return pick(random, [...forms, forms[0] ?? pick(random, forms), forms[0] ?? pick(random, forms)])()
}

const stringified = (data: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))

function xmlOf(value: object): string {
  const elements = (inner: object): string =>
    Object.entries(inner)
      .map(([name, child]) => `<${name}>${typeof child === 'object' ? elements(child) : escaped(child)}</${name}>`)
      .join('')
  return `<delegation>${elements(value)}</delegation>`
}

const escaped = (value: unknown): string => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const gets = endpoints.filter(({ method }) => method === 'GET')
const oddPaths = [
  '/',
  '//summary',
  '/blocks/',
  '/nowhere',
  '/docs',
  '/openapi.json',
  '/blocks/height/007',
  '/%2e%2e/summary',
]
const preflight = {
  origin: 'https://page.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'content-type',
}

/** The next request over the chain as it stands now. */
export function drawRequest(random: Random, chain: Chain): RecordedRequest {
  const dice = random()
  if (dice < 0.12) return broadcast(random, chain)
  if (dice < 0.24) return { method: 'GET', path: termsOf(random, chain) }
  if (dice < 0.28) return { method: 'GET', path: pick(random, oddPaths) }
  const { path: template, query: { options = {} } = {} } = pick(random, gets)
  const path = pathOf(template, valuesOf(random, chain))
  if (dice < 0.3) return { method: 'OPTIONS', path, headers: preflight }
  const query = random() < 0.45 ? queryOf(random, chain, Object.keys(options)) : ''
  const method = dice < 0.34 ? 'HEAD' : 'GET'
  return { method, path: path + query, ...(dice > 0.85 && { withTag: true }) }
}
