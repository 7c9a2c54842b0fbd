// Writes tools/generate/examples.json: part of npm run generate.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examplesText } from './examples-text.ts'

const path = 'tools/generate/examples.json'
writeFileSync(join(import.meta.dirname, '../..', path), await examplesText())
console.log(path)
