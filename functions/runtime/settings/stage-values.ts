// The values of a stage's settings in the environment. A message says what a variable holds, but never a secret.
import { hasForm, stateHashForm } from '../../../shared/contract/forms.ts'
import { maxPins } from '../../../shared/deployment/pins.ts'
import {
  addressForm,
  addressListFault,
  headersFrom,
  maxIndexers,
  maxNodes,
  type Range,
  shownAddress,
  wordsOf,
} from '../../../shared/deployment/settings.ts'
import {
  type Environment,
  type Row,
  type RowsByName,
  type StageSettingName,
  stageRows,
  stageSettings,
} from '../../../shared/deployment/stage-settings.ts'
import type { Credential } from '../upstreams/credential.ts'

/** Every mistake in the environment, one line each. */
export class Mistakes {
  readonly lines: string[] = []

  /** @param got what the variable holds; leave out what may be secret */
  add(variable: string, got: string | undefined, wanted: string): void {
    this.lines.push(`${variable}: wanted ${wanted}, got ${got === undefined ? 'nothing' : got}`)
  }
}

export const addressWanted =
  'an http or https address such as http://127.0.0.1:3085/graphql, without user name and password'
const listWanted = `JSON: a list of 1 to ${maxNodes} nodes such as [{"graphqlUrl":"https://node.example/graphql"}]`

/** @returns empty text if it is not an address */
export function readUrl(value: string | undefined, variable: string, mistakes: Mistakes): string {
  const url = URL.parse(value ?? '')?.href ?? ''
  if (addressForm.test(url)) return url
  mistakes.add(variable, value ? JSON.stringify(shownAddress(value)) : undefined, addressWanted)
  return ''
}

const itemsOf = (text: string): readonly string[] => text.split(',').map((item) => item.trim())

/** @param several the words for a list of them */
function readAddresses(
  text: string,
  variable: string,
  mistakes: Mistakes,
  of: 'nodes' | 'indexers',
  several: string,
): readonly string[] {
  const urls = itemsOf(text).map((url) => readUrl(url, variable, mistakes))
  const fault = addressListFault(urls, of)
  if (fault !== undefined) mistakes.add(variable, fault, `${addressWanted}, or ${several}, separated by commas`)
  return urls
}

function readNumber(text: string, variable: string, mistakes: Mistakes, range: Range): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= range.min && number <= range.max) return number
  const unit = range.unit === undefined ? '' : `${range.unit}: `
  mistakes.add(variable, JSON.stringify(text), `${unit}${wordsOf(range)}`)
  return Number.NaN
}

/** @param value an object, or its JSON text */
function readHeaders(value: unknown, variable: string, mistakes: Mistakes): Readonly<Record<string, string>> {
  const headers = value === '' ? {} : headersFrom(value)
  if (headers === undefined) {
    mistakes.add(variable, 'something else', 'a JSON object of header names and texts such as {"x-api-key":"…"}')
  }
  return headers ?? {}
}

/** @param value an object, or its JSON text */
function readCredential(value: unknown, variable: string, mistakes: Mistakes): Credential | null {
  const fields = headersFrom(value)
  const { header, secret, parameter } = fields ?? {}
  if (fields !== undefined && Object.keys(fields).length === 0) return null
  if (header === undefined || (secret === undefined) === (parameter === undefined)) {
    mistakes.add(variable, 'something else', 'JSON such as {"header":"x-api-key","secret":"name"}, or with "parameter"')
    return null
  }
  return { header, ...(secret && { secret }), ...(parameter && { parameter }) }
}

function entriesIn(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((entry) => typeof entry === 'object' && entry !== null) ? list : undefined
  } catch {
    return undefined
  }
}

function readNodeList(text: string, variable: string, mistakes: Mistakes) {
  const entries = entriesIn(text)
  if (entries === undefined) {
    mistakes.add(variable, 'something else', listWanted)
    return []
  }
  const nodes = entries.map(({ graphqlUrl, headers = {}, credential, sharedAddress = false, ...unknown }, index) => {
    const at = `${variable}[${index}]`
    for (const name of Object.keys(unknown)) mistakes.add(at, name, 'graphqlUrl, headers, credential and sharedAddress')
    if (typeof sharedAddress !== 'boolean') {
      mistakes.add(`${at}.sharedAddress`, JSON.stringify(sharedAddress), 'true or false')
    }
    const key = readCredential(credential || {}, `${at}.credential`, mistakes)
    return {
      url: readUrl(typeof graphqlUrl === 'string' ? graphqlUrl : undefined, `${at}.graphqlUrl`, mistakes),
      headers: readHeaders(headers, `${at}.headers`, mistakes),
      ...(key && { credential: key }),
      sharedAddress: sharedAddress === true,
    }
  })
  const urls = nodes.map(({ url }) => url)
  const fault = addressListFault(urls, 'nodes')
  if (fault !== undefined) mistakes.add(variable, fault, listWanted)
  return nodes
}

type Reader = (text: string, variable: string, mistakes: Mistakes) => unknown

const readers = {
  switch(text, variable, mistakes): boolean {
    if (text !== 'true' && text !== 'false') mistakes.add(variable, JSON.stringify(text), 'true or false')
    return text === 'true'
  },
  headers: readHeaders,
  credential: readCredential,
  nodeAddress: (text, variable, mistakes) => readAddresses(text, variable, mistakes, 'nodes', 'several'),
  nodeList: readNodeList,
  indexerAddresses: (text, variable, mistakes) =>
    readAddresses(text, variable, mistakes, 'indexers', `up to ${maxIndexers}`),
  /** The stage's config has checked the checksums. */
  genesisBlocks(text, variable, mistakes) {
    const blocks = itemsOf(text)
    const isWanted = blocks.length <= maxPins && new Set(blocks).size === blocks.length
    if (isWanted && blocks.every((block) => hasForm(block, stateHashForm))) return blocks
    mistakes.add(
      variable,
      JSON.stringify(text),
      `the state hash of a genesis block: '3N' and 50 characters; of several, ${maxPins} at most, separated by commas, each once, the oldest first`,
    )
    return null
  },
  // Checked against the genesis blocks.
  chainIds: itemsOf,
} satisfies Readonly<Record<Exclude<Row['kind'], 'wholeNumber'>, Reader>>

type ValueOf<R extends Row> = R['kind'] extends keyof typeof readers ? ReturnType<(typeof readers)[R['kind']]> : number

/** The value of every setting; what is not given has its default. */
export type StageValues = {
  readonly [Name in StageSettingName]: ValueOf<RowsByName[Name]> | RowsByName[Name]['default']
}

/**
 * Empty text counts as not given, as do the settings that `NODES` replaces and, without an indexer, an indexer's
 * settings.
 */
export function readValues(env: Environment, mistakes: Mistakes): StageValues {
  const counts = ({ of, unless }: Row): boolean =>
    !(unless && env[stageSettings[unless].variable]) && (of !== 'indexer' || Boolean(env.INDEXER_GRAPHQL_URL))
  const read = (row: Row) => {
    const text = counts(row) && env[row.variable as keyof Environment]
    if (!text) return row.default
    if (row.kind === 'wholeNumber') return readNumber(text, row.variable, mistakes, row.range)
    return readers[row.kind](text, row.variable, mistakes)
  }
  return Object.fromEntries(stageRows.map(([name, row]) => [name, read(row)])) as unknown as StageValues
}
