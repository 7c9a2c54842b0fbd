// Settings of a stage, from the CDK context (`-c key=value`) or the environment. Whatever is wrong is said at once.
import { lockedSupplyTable } from './locked-supply-file.ts'
import { graphqlUrl, headers, optional, type Rule, stage, timeoutMs } from './setting-rules.ts'

/** All that differs from stage to stage. */
export interface StageSettings {
  /** Part of the stack's name. `prod` keeps its logs when the stack is removed. */
  readonly stage: string
  readonly nodeGraphqlUrl: string
  /** For one call to the node. */
  readonly upstreamTimeoutMs: number
  /** Sent with each request to the node, an API key say. */
  readonly upstreamHeaders: Readonly<Record<string, string>>
  /** null on a stage that has a node only; the other settings of the indexer then mean nothing. */
  readonly indexerGraphqlUrl: string | null
  /** Sent with each request to the indexer. */
  readonly indexerHeaders: Readonly<Record<string, string>>
  /** For one call to the indexer. */
  readonly indexerTimeoutMs: number
  /** For one look into a staking ledger, which the indexer has to walk. */
  readonly indexerStakesTimeoutMs: number
  /** What is locked by slot, as CSV text; empty for no table. Given as the path of a file. */
  readonly lockedSupplyTable: string
}

/** Settings that cannot be used. The message is for the person who synthesises, and shows no secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

const nodeUrl = graphqlUrl("a node's", 'https://node.example/graphql')
const indexerUrl = optional(graphqlUrl("an indexer's", 'https://indexer.example/graphql'))

const variableOf = (key: string): string => `EXPLORER_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`

function mistake(key: string, got: string, { wants, example }: Rule<unknown>): string {
  const quote = example.includes('"') ? "'" : ''
  return [
    key,
    `  got    ${got}`,
    `  wants  ${wants}`,
    `  pass   npm run synth -- -c ${quote}${key}=${example}${quote}`,
    `  or     ${variableOf(key)}=${quote}${example}${quote} npm run synth`,
  ].join('\n')
}

/** A value as text: cdk.json may hold a number or an object. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

type Found = { readonly [Key in keyof StageSettings]: StageSettings[Key] | undefined }

const isComplete = (found: Found): found is StageSettings => Object.values(found).every((value) => value !== undefined)

/**
 * Reads and checks every setting. The context goes before the environment; empty text counts as nothing.
 *
 * @param context gives the value of a key of the CDK context, `undefined` for none
 * @param env where `nodeGraphqlUrl` is called `EXPLORER_NODE_GRAPHQL_URL`, the others alike
 * @throws SettingsError naming each wrong setting with what it got, what it wants and the commands that pass it
 */
export function readStageSettings(
  context: (key: string) => unknown,
  env: Readonly<Record<string, string | undefined>>,
): StageSettings {
  const mistakes: string[] = []

  function read<T>(key: keyof StageSettings, rule: Rule<T>): T | undefined {
    const given = { 'the CDK context': textOf(context(key)), [variableOf(key)]: env[variableOf(key)] ?? '' }
    const [source, text] = Object.entries(given).find(([, value]) => value !== '') ?? []
    if (text === undefined) {
      if (rule.fallback === undefined) mistakes.push(mistake(key, 'nothing', rule))
      return rule.fallback
    }
    const got = `${rule.show(text)} from ${source}`
    try {
      const value = rule.parse(text)
      if (value === undefined) mistakes.push(mistake(key, got, rule))
      return value
    } catch (error) {
      mistakes.push(mistake(key, `${got}: ${String(error).replace(/^Error: /, '')}`, rule))
      return undefined
    }
  }

  const found = {
    stage: read('stage', stage),
    nodeGraphqlUrl: read('nodeGraphqlUrl', nodeUrl),
    upstreamTimeoutMs: read('upstreamTimeoutMs', timeoutMs(8000)),
    upstreamHeaders: read('upstreamHeaders', headers),
    indexerGraphqlUrl: read('indexerGraphqlUrl', indexerUrl),
    indexerHeaders: read('indexerHeaders', headers),
    indexerTimeoutMs: read('indexerTimeoutMs', timeoutMs(1500)),
    indexerStakesTimeoutMs: read('indexerStakesTimeoutMs', timeoutMs(8000)),
    lockedSupplyTable: read('lockedSupplyTable', lockedSupplyTable),
  }
  if (isComplete(found)) return found
  const sections = ['The settings of the stage are wrong. Nothing was synthesised.', ...mistakes]
  throw new SettingsError([...sections, 'npm run deploy takes the same.'].join('\n\n'))
}
