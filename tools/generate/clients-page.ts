// The tables of docs/clients.md: the programs of others, row by row.
import { readers } from '../../docs/clients/readers.ts'
import type { Client, Signed } from '../../docs/clients/row.ts'
import { senders } from '../../docs/clients/senders.ts'

const rawDigits = 'f'.repeat(128)

const code = (text: string): string => `\`${text}\``

/** The signer's result, shortened. The raw signature keeps its digits, since some programs take half of them. */
function shortCommand({ sent, signer = '4.0', terms: changes }: Client): Signed {
  const common = { to: 'B62…', from: 'B62…', fee: '10000000', nonce: '0', memo: 'text', validUntil: '4294967295' }
  return {
    result: `as mina-signer${signer === 'Rosetta' ? '’s `signRosettaTransaction`' : ` ${signer}`} gives it`,
    publicKey: 'B62…',
    signature: { field: '1…', scalar: '2…' },
    terms: { ...common, ...(sent?.kind === 'payment' && { amount: '1500000000' }), ...changes },
    raw: rawDigits,
    rawOfDevice: rawDigits,
  }
}

function shownBody(client: Client): string {
  const command = shortCommand(client)
  const body = client.sent?.body(command)
  if (body === command.result) return String(body)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return code(text.replace(/f{64,}/g, ({ length }) => `<${length} hex digits>`))
}

const shownFields = ({ reads }: Client): string =>
  Object.entries(reads)
    .map(([type, paths]) => `${type} ${code(paths)}`)
    .join('; ')

function row(client: Client): string {
  const { program, method, path, headers = {}, sent, expects, cannot, unless } = client
  const request = [`${method} ${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  const instead =
    unless === undefined ? '' : `; works where the stage has ${unless === 'an indexer' ? unless : code(unless)}`
  const outcome = cannot === undefined ? 'works' : `cannot, because ${cannot}${instead}`
  const cells = [
    program,
    request.map(code).join('<br>'),
    sent ? shownBody(client) : shownFields(client),
    expects,
    outcome,
  ]
  return `| ${cells.join(' | ')} |\n`
}

const table = (third: string, rows: readonly Client[]): string =>
  [`| Program | Request | ${third} | Expects | Outcome |\n|---|---|---|---|---|\n`, ...rows.map(row)].join('')

/** The programs that read, then those that send, each with its request and outcome, as tables in Markdown. */
export const clientsTables = (): string => `${table('Reads', readers)}\n${table('Body', senders)}`
