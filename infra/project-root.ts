import { join } from 'node:path'

/** The project's folder: esbuild runs there, and relative paths in settings start there. */
export const projectRoot = join(import.meta.dirname, '..')
