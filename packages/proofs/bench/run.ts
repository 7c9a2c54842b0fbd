// npm run bench -- NAME: runs one benchmark; without a name, lists them. With --help it prints the head of its file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace(/\.ts$/, ''))
const [name, ...options] = process.argv.slice(2)

/** The comment at the top of a benchmark: what it measures, and its options. */
function headOf(benchmark: string): string {
  const lines = readFileSync(join(import.meta.dirname, `${benchmark}.ts`), 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n')
}

if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exitCode = 2
} else if (options.includes('--help')) {
  console.log(headOf(name))
} else {
  await import(`./${name}.ts`).catch((error) => {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    console.error(`${error.message.split('. ')[0]}\n\n${headOf(name)}`)
    process.exitCode = 2
  })
}
