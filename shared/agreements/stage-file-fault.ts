// The message about a stage's file that cannot be imported, by the synthesis and by the doctor.

/**
 * Why a file cannot be imported: `config/mainnet.ts:4: SyntaxError: Unexpected token`. The line is of that file, or of one
 * that it imports; without a line where the error names none. The line itself is not shown, since it may hold a key.
 *
 * @param file as messages name it: `config/mainnet.ts`
 */
export function importFault(error: unknown, file: string): string {
  const { stack }: { readonly stack?: unknown } = Object(error)
  // A syntax error has its place on the first line, another one in its first frame. Node's own files end with no `.ts`.
  const [, name, line] = /(?<=[\\/])([\w.-]+\.[cm]?ts):(\d+)/.exec(String(stack)) ?? []
  const reason = String(error).replace(/ \[ERR_\w+\]/, '')
  if (name === undefined) return `${file}: ${reason}`
  return `${file.endsWith(`/${name}`) ? file : name}:${line}: ${reason}`
}
