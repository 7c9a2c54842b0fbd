// A server that is killed and restarted on the same port while others use it, and that records its outages.
import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../local/start/listen.ts'

/** `killed`: connections are cut and new ones refused; `hanging`: requests are accepted and never answered. */
type OutageKind = 'killed' | 'hanging'

const host = '127.0.0.1'

export async function faultyServer(serve: RequestListener) {
  let isHanging = false
  const listener: RequestListener = (request, response) => {
    if (!isHanging) serve(request, response)
  }
  let listening = await listen(listener, 0, host)
  const { port } = listening
  const outages: { readonly from: number; until: number }[] = []
  return {
    port,
    /** Takes the server down; resolves when it serves again. */
    async fail(fault: OutageKind, durationMs: number): Promise<void> {
      const outage = { from: performance.now(), until: Number.POSITIVE_INFINITY }
      outages.push(outage)
      isHanging = fault === 'hanging'
      if (!isHanging) await listening.close()
      await sleep(durationMs)
      // An operator kills a server that hangs.
      if (isHanging) await listening.close()
      isHanging = false
      listening = await listen(listener, port, host)
      outage.until = performance.now()
    },
    /** True if it served from the first of these times, as `performance.now()` gives them, to the second. */
    wasUp: (from: number, until: number) => outages.every((outage) => until < outage.from || from > outage.until),
    close: () => listening.close(),
  }
}
