// The programs of docs/clients.md, row by row, through the gateway over the embedded chain.
import { expect, test } from '@jest/globals'
import { readers } from '../../../docs/clients/readers.ts'
import type { Client, Fields, FieldType } from '../../../docs/clients/row.ts'
import { senders } from '../../../docs/clients/senders.ts'
import { createChain } from '../../../packages/testnet/chain.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { memberOf, parseExactJson } from '../../../shared/mapping/exact-json.ts'
import { serve, untilFileEnds } from '../../serving.ts'
import { gatewayOver, now, post, signPayment, wallet } from '../running-service.ts'
import { signedBy } from './signed.ts'

const chain = createChain({ seed: 'clients', now: () => now, slotsPerEpoch: 12, signsOwnCommands: false })
const [node, indexer] = [
  await serve(nodeServer(chain), untilFileEnds),
  await serve(indexerServer(chain), untilFileEnds),
]
const gatewayWith = async (more: Readonly<Record<string, string>>) =>
  (await serve(await gatewayOver({ NODE_GRAPHQL_URL: `${node.url}/graphql`, ...more }), untilFileEnds)).url
const url = await gatewayWith({ INDEXER_GRAPHQL_URL: `${indexer.url}/graphql` })
const withoutIndexer = await gatewayWith({})
const lenient = await gatewayWith({ LENIENT_PAYLOAD: 'true' })

const payer = wallet(chain, 'mallory')
await post(`${url}/broadcast/transaction`, signPayment(chain, payer, wallet(chain, 'bob')))
const held: Readonly<Record<string, string>> = {
  account: wallet(chain, 'alice').publicKey,
  payer: payer.publicKey,
  block: chain.tip().stateHash,
  nobody: unheldValues.public_key,
  noBlock: unheldValues.state_hash,
}

const isMina = (value: unknown) => typeof value === 'string' && /^\d+\.\d{9}$/.test(value)
const isDecoded: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  'MINA text': isMina,
  'MINA text or null': (value) => value === null || isMina(value),
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  nothing: (value) => value === undefined,
}

/** @param path `blocks[].blockHeight` is one value of each block */
const valuesAt = (body: unknown, path: string): readonly unknown[] =>
  path.split('.').reduce<readonly unknown[]>(
    (values, step) => {
      const name = step.replace('[]', '')
      const found = name === '' ? values : values.map((value) => memberOf(value, name))
      return step.endsWith('[]') ? found.flatMap((list) => (Array.isArray(list) ? list : [undefined])) : found
    },
    [body],
  )

/** The paths at which a value is missing or is not what the program decodes. */
const unreadIn = (body: unknown, reads: Fields): readonly string[] =>
  (Object.entries(reads) as [FieldType, string][]).flatMap(([type, paths]) =>
    paths.split(' ').filter((path) => {
      const values = valuesAt(body, path)
      return values.length === 0 || !values.every(isDecoded[type])
    }),
  )

/** Sends it twice, as a program does that has lost the first answer. */
async function outcomeOf(client: Client, base: string) {
  const { method, path, headers = {}, sent, reads } = client
  const signed = sent && signedBy(chain, sent.kind, client)
  const body = signed && sent.body(signed)
  const request = { method, headers, body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null) }
  const address = base + path.replace(/\{(\w+)\}/, (_, name) => held[name] ?? '')
  const [first, second] = [await fetch(address, request), await fetch(address, request)]
  const [text, again] = await Promise.all([first.text(), second.text()])
  const pooled = signed && chain.pool(signed.publicKey).length
  if (signed) chain.produceBlock()
  const origins = first.headers.get('access-control-allow-origin') ?? undefined
  return { status: first.status, origins, unread: unreadIn(parseExactJson(text), reads), text, again, pooled }
}

const titleOf = ({ program, expects, method, path, cannot }: Client) =>
  cannot === undefined
    ? `${method} ${path} gives ${program} ${expects}`
    : `${method} ${path} cannot give ${program} ${expects}: ${cannot}`
const titled = (rows: readonly Client[]) => rows.map((row) => [titleOf(row), row] as const)

test.each(titled([...readers, ...senders]))('%s', async (_title, row) => {
  const outcome = await outcomeOf(row, row.unless === 'an indexer' ? withoutIndexer : url)
  const { status, headers, unread = [], holds = /^\{.*\}$/ } = row
  expect(outcome).toEqual({
    status,
    // To a page of another origin only, as the gateway of AWS does.
    origins: headers?.origin && '*',
    unread,
    text: expect.stringMatching(holds),
    again: outcome.text,
    pooled: row.sent && Number(status === 201),
  })
})

test.each(senders.filter(({ unless }) => unless !== undefined))(
  '$path gives $program 201 under the setting $unless',
  async (row) => {
    expect(await outcomeOf(row, lenient)).toMatchObject({ status: 201, pooled: 1 })
  },
)
