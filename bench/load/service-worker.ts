// The REST service on a thread of its own, before the upstreams that its environment names.
import { parentPort, workerData } from 'node:worker_threads'
import { startService } from '../../local/start/service.ts'

const environment: Record<string, string> = workerData
const { url } = await startService({ environment, log: () => undefined })
parentPort?.postMessage(url)
