import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsIn } from './commands.ts'

const root = join(import.meta.dirname, '../..')

/** For readers who run things; the changelog tells what once was. */
const documents = [
  'README.md',
  'packages/client/README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/*.md', { cwd: root }).sort(),
]

/** @returns each command of the documents once, with the places that show it (`README.md:5`) */
export function documentedCommands(): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  for (const document of documents) {
    for (const { line, command } of commandsIn(document, readFileSync(join(root, document), 'utf8'))) {
      places.set(command, [...(places.get(command) ?? []), `${document}:${line}`])
    }
  }
  return places
}
