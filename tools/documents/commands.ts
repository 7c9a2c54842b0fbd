// The commands that a document shows: in blocks of a console, and between backquotes in a sentence.

/** A command as a reader would type it. */
export interface DocumentedCommand {
  readonly document: string
  /** From 1. */
  readonly line: number
  readonly command: string
}

/** The words that begin a command, variables aside; another code span names something. */
const inline = /`((?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|git|bash|aws) [^`]+)`/g

/** A remark behind a command is two blanks off. */
const withoutRemark = (command: string): string => command.replace(/\s{2,}#.*$/, '').trim()

function* inBlock(document: string, lines: readonly string[], first: number): Generator<DocumentedCommand> {
  for (let at = 0; at < lines.length; at += 1) {
    const start = /^\s*\$ (.*)$/.exec(lines[at] ?? '')?.[1]
    if (start === undefined) continue
    const line = first + at
    let command = start
    while (command.endsWith('\\') && at + 1 < lines.length) {
      at += 1
      command = `${command.slice(0, -1).trimEnd()} ${lines[at]?.trim()}`
    }
    yield { document, line, command: withoutRemark(command) }
  }
}

/**
 * @param document its path, for the report
 * @param text in Markdown
 * @returns the commands in their order; other blocks than `console` hold no shell commands
 */
export function commandsIn(document: string, text: string): readonly DocumentedCommand[] {
  const commands: DocumentedCommand[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^\s*```(.*)$/.exec(lines[at] ?? '')?.[1]
    if (language === undefined) {
      const spans = (lines[at] ?? '').matchAll(inline)
      commands.push(...Array.from(spans, ([, command = '']) => ({ document, line: at + 1, command })))
      continue
    }
    const end = lines.findIndex((line, index) => index > at && /^\s*```\s*$/.test(line))
    if (language.trim() === 'console') commands.push(...inBlock(document, lines.slice(at + 1, end), at + 2))
    at = end
  }
  return commands
}
