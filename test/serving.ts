// Servers on free ports of the loopback interface and temporary folders, which end with their test or their file.
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from '@jest/globals'
import { listen } from '../local/start/listen.ts'

interface Running {
  close(): Promise<unknown>
}

export interface Served {
  readonly port: number
  readonly url: string
}

const ofTest: Running[] = []
const ofFile: Running[] = []
const closeAll = (running: Running[]) => Promise.all(running.splice(0).map((each) => each.close()))
afterEach(() => closeAll(ofTest))
afterAll(() => closeAll(ofFile))

/** Closes it when the test ends. */
export function untilTestEnds<One extends Running>(running: One): One {
  ofTest.push(running)
  return running
}

/** Closes it when the tests of the file have run. */
export function untilFileEnds<One extends Running>(running: One): One {
  ofFile.push(running)
  return running
}

/** Serves until the test ends, or with `untilFileEnds` until those of the file have. */
export async function serve(listener: RequestListener, until = untilTestEnds): Promise<Served> {
  const { port } = until(await listen(listener, 0, '127.0.0.1'))
  return { port, url: `http://127.0.0.1:${port}` }
}

/** No server listens here: the system hands out no port below 1024, and no common program uses this one. */
export const unservedUrl = 'http://127.0.0.1:2'

/** An empty folder, removed when the tests of the file have run. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'test-'))
  untilFileEnds({ close: async () => rmSync(folder, { recursive: true }) })
  return folder
}
