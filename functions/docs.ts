// The docs page. The stack writes its files beside the bundle.
import { join } from 'node:path'
import { servingFiles } from './docs/serve-files.ts'
import { storedFiles } from './docs/served-files.ts'
import { readOriginLock } from './runtime/settings/settings.ts'

export const handler = servingFiles(storedFiles(join(import.meta.dirname, 'docs-files')), {
  originSecrets: readOriginLock(),
})
