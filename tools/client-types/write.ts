// Writes the types that openapi-typescript makes of openapi.json: node tools/launch.mjs tools/client-types/write.ts FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the file to write')
const document = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')
writeFileSync(file, astToString(await openapiTS(document)))
