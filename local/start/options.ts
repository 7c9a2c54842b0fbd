// The options of the command line of npm start and npm run demo.

/** The option whose beginning is most like that of a text; undefined where none begins like it. */
function nearest(text: string, options: readonly string[]): string | undefined {
  const lengths = options.map((option) => {
    const differing = Array.from(option).findIndex((letter, index) => letter !== text[index])
    return differing === -1 ? option.length : differing
  })
  const longest = Math.max(...lengths)
  return longest === 0 ? undefined : options[lengths.indexOf(longest)]
}

/**
 * The message about an argument that is not an option, in one line.
 *
 * @param options without their hyphens
 */
export function unknownOption(argument: string, options: readonly string[]): string {
  const found = nearest(argument.replace(/^-+/, ''), options)
  const all = options.map((option) => `--${option}`).join(', ')
  return `${argument}: unknown option. ${found === undefined ? `The options are ${all}.` : `Did you mean --${found}?`}`
}

const startOptions = ['flaky', 'lenient', 'lines', 'help'] as const
const usualRate = 0.3

export interface StartOptions {
  /** The share of the node's answers that go wrong. */
  readonly flaky?: number
  readonly lenient?: true
  /** The file to which the lines of deployed functions are written. */
  readonly lines?: string
}

function rateOf(text: string): number {
  if (/^(?:0|1|0?\.\d+)$/.test(text)) return Number(text)
  throw new Error(`--flaky: wanted a share from 0 to 1 such as --flaky=${usualRate}, got ${JSON.stringify(text)}`)
}

/**
 * @param env where npm puts an option that stands before its `--`
 * @returns `help` for who asks for it
 * @throws Error of one line that names the option, what it got and what it wants
 */
export function readOptions(
  options: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): StartOptions | 'help' {
  const kept = startOptions.find((option) => env[`npm_config_${option}`] !== undefined)
  if (kept !== undefined) throw new Error(`--${kept}: npm took it for its own. Write npm start -- --${kept}`)
  const [option, ...rest] = options.flatMap((text) => text.split('='))
  switch (option) {
    case undefined:
      return {}
    case '--help':
    case '-h':
      return 'help'
    case '--lenient': {
      const others = readOptions(rest)
      return others === 'help' ? others : { ...others, lenient: true }
    }
    case '--lines': {
      const [file, ...further] = rest
      if (!file || file.startsWith('--'))
        throw new Error('--lines: wanted a file such as --lines=night.jsonl, got none')
      const others = readOptions(further)
      return others === 'help' ? others : { ...others, lines: file }
    }
    case '--flaky': {
      const isFollowed = rest[0] !== undefined && !rest[0].startsWith('--')
      const others = readOptions(isFollowed ? rest.slice(1) : rest)
      return others === 'help' ? others : { ...others, flaky: isFollowed ? rateOf(rest[0] ?? '') : usualRate }
    }
    default:
      throw new Error(`${unknownOption(option, startOptions)} Settings are variables: PORT=8081 npm start`)
  }
}
