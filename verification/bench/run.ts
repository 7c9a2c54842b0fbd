// npm run bench -- NAME: runs one benchmark; without a name, lists them.
import { readdirSync } from 'node:fs'

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace(/\.ts$/, ''))
const [name] = process.argv.slice(2)

if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exitCode = 2
} else {
  await import(`./${name}.ts`)
}
