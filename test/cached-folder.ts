// Files that take long to make, kept between runs of the tests.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A complete folder below `node_modules/.cache`. Of two processes that fill it at a time one wins.
 *
 * @param name says everything that its content depends on
 */
export async function cachedFolder(name: string, fill: (folder: string) => unknown): Promise<string> {
  const folder = join(import.meta.dirname, '../node_modules/.cache', name)
  if (existsSync(folder)) return folder
  const own = `${folder}-${process.pid}`
  mkdirSync(own, { recursive: true })
  try {
    await fill(own)
    renameSync(own, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return folder
}
