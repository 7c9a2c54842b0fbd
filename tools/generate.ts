// npm run generate: writes every generated file of the repository.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../shared/endpoints/all.ts'
import { openApiFiles } from './generate/openapi-document.ts'
import { recipesPage } from './generate/recipes-page.ts'
import { validatorFiles } from './generate/validators.ts'

for (const [path, text] of [...openApiFiles(endpoints), ...(await validatorFiles(endpoints)), recipesPage()]) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(path)
}
