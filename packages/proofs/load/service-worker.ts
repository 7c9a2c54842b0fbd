// The REST service on a separate thread, with the upstreams of its environment.
import { parentPort, workerData } from 'node:worker_threads'
import { startService } from '../../../local/start/service.ts'

const environment: Record<string, string> = workerData
const { url } = await startService({ environment, log: () => undefined })
parentPort?.postMessage(url)
