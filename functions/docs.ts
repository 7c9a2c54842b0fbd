// The docs page. Its files are beside the bundle, as the stack writes them when it bundles this.
import { join } from 'node:path'
import { servingFiles } from './docs/serve-files.ts'
import { storedFiles } from './docs/served-files.ts'
import { readOriginLock } from './runtime/settings/settings.ts'

export const handler = servingFiles(storedFiles(join(import.meta.dirname, 'docs-files')), {
  originSecrets: readOriginLock(),
})
