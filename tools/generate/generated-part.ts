/**
 * The document with its generated part renewed: what stands between the comments that name it.
 *
 * @param text the part; blank lines around it are added
 * @throws Error if the comments are missing
 */
export function withPart(document: string, name: string, text: string): string {
  const start = `<!-- ${name}: written by npm run generate -->\n`
  const end = `<!-- /${name} -->\n`
  const [before, rest = ''] = document.split(start)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`${start}or ${end}is missing`)
  return [before, start, '\n', text, '\n', end, after].join('')
}
