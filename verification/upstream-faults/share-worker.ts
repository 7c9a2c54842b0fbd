// One share of the cases on a thread of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { type Share, workOff } from './share.ts'

const share: Share = workerData
let lastSent = 0
const tally = await workOff(share, (done, all) => {
  if (done < all && performance.now() - lastSent < 1000) return
  lastSent = performance.now()
  parentPort?.postMessage({ done, all })
})
parentPort?.postMessage({ tally })
