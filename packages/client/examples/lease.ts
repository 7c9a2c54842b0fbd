import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreLease } from '../src/client.ts'

const isCode = (code: string) => (error: { code?: string }) => {
  if (error.code !== code) throw error
}

/**
 * A lease over a folder on a disk of this machine, beside your store. The file with the highest number is the lease's, and its
 * time is when it was taken: whoever makes the next one has it, and only one program can make a file.
 */
export function fileLease(folder: string): StoreLease {
  let own: number | undefined
  const file = (number: number) => join(folder, `lease-${number}`)
  const numbers = async () =>
    (await readdir(folder)).flatMap((name) => (/^lease-\d+$/.test(name) ? [Number(name.slice('lease-'.length))] : []))

  async function takeNext(ms: number): Promise<number | undefined> {
    await mkdir(folder, { recursive: true })
    const highest = Math.max(0, ...(await numbers()))
    if (own !== undefined && own !== highest) return undefined
    if (own === undefined && highest > 0) {
      const taken = await stat(file(highest)).catch(isCode('ENOENT'))
      if (!taken || Date.now() < taken.mtimeMs + ms) return undefined
    }
    const made = await open(file(highest + 1), 'wx').catch(isCode('EEXIST'))
    await made?.close()
    // The highest one is never removed, so a number that was made twice is not the highest.
    const known = await numbers()
    if (!made || Math.max(...known) > highest + 1) return undefined
    for (const number of known) if (number <= highest) await rm(file(number), { force: true })
    return highest + 1
  }

  return {
    async take(ms) {
      own = await takeNext(ms)
      return own !== undefined
    },
    async release() {
      if (own !== undefined) await utimes(file(own), 0, 0).catch(isCode('ENOENT'))
      own = undefined
    },
  }
}
