// npm run generate: writes every generated file of the repository.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../shared/endpoints/all.ts'
import { clientSchemaFiles } from './generate/client-schema.ts'
import { codePages } from './generate/code-pages.ts'
import { noticesOfFunctions } from './generate/notices.ts'
import { openApiFiles } from './generate/openapi-document.ts'
import { validatorFiles } from './generate/validators.ts'

function write([path, text]: readonly [path: string, text: string]): void {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(path)
}

const files = [...openApiFiles(endpoints), ...clientSchemaFiles(), ...(await validatorFiles(endpoints)), ...codePages()]
for (const file of files) write(file)
// The bundles hold the validators.
write(await noticesOfFunctions())
