// The docs page. Its files are beside the bundle, as `docs-page/store-files.ts` writes them when the stack is built.
import { join } from 'node:path'
import { servingFiles } from './docs/serve-files.ts'
import { storedFiles } from './docs/served-files.ts'
import { readOriginLock } from './runtime/settings/settings.ts'

export const handler = servingFiles(storedFiles(join(import.meta.dirname, 'docs-files')), {
  originSecrets: readOriginLock(),
})
