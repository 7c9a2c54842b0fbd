// The file of a stage in config/, as the synthesis and the doctor read it.
import { stageRows } from './stage-settings.ts'

/** The stage of a file in config/: `devnet.ts` belongs to `devnet`; undefined for any other file. */
export const stageOf = (fileName: string): string | undefined => /^([a-z][a-z0-9-]{0,29})\.ts$/.exec(fileName)?.[1]

/** The environment variable that overrides a stage's setting: `EXPLORER_NODE_GRAPHQL_URL` for `nodeGraphqlUrl`. */
export const settingVariable = (keyPath: string): string =>
  `EXPLORER_${keyPath.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`

/**
 * Why a file cannot be imported: `config/mainnet.ts:4: SyntaxError: Unexpected token`. The line number, if the error
 * names one, is of that file or of one that it imports. The line itself is not shown, since it may hold a key.
 *
 * @param file as messages name it: `config/mainnet.ts`
 */
export function importFault(error: unknown, file: string): string {
  const { stack }: { readonly stack?: unknown } = Object(error)
  // A syntax error has its place on the first line, another one in its first frame. Node's own files do not end with `.ts`.
  const [, name, line] = /(?<=[\\/])([\w.-]+\.[cm]?ts):(\d+)/.exec(String(stack)) ?? []
  const reason = String(error).replace(/ \[ERR_\w+\]/, '')
  if (name === undefined) return `${file}: ${reason}`
  return `${file.endsWith(`/${name}`) ? file : name}:${line}: ${reason}`
}

interface Ranked {
  readonly path: string
  /** A higher rank overrides a lower one. */
  readonly rank: number
}

/** True for the settings of a single node: its address, its headers and its key. */
const isOfSingleNode = (path: string): boolean =>
  stageRows.some(([name, { unless }]) => unless === 'nodes' && (path === name || path.startsWith(`${name}.`)))

/** `nodes` and a single node exclude each other: the one of higher rank replaces the other. */
export function withoutReplaced<Entry extends Ranked>(entries: readonly Entry[]): readonly Entry[] {
  const highestRankOf = (path: string) =>
    Math.max(-1, ...entries.filter((each) => each.path === path).map(({ rank }) => rank))
  const rankOfNodes = highestRankOf('nodes')
  const rankOfSingleNode = highestRankOf('nodeGraphqlUrl')

  function isOverridden({ path, rank }: Ranked): boolean {
    if (path === 'nodes') return rankOfSingleNode > rank
    return isOfSingleNode(path) && rankOfNodes > rank
  }
  return entries.filter((entry) => !isOverridden(entry))
}
