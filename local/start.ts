// npm start: the service on this machine, over an embedded chain or the node of NODE_GRAPHQL_URL.
import { readArguments, readOptions, startFailure, usage } from './start/arguments.ts'
import { greeting } from './start/greeting.ts'
import { type Service, startService } from './start/service.ts'

let service: Service | undefined
let address = { host: '', port: 0 }
const options = process.argv.slice(2)
const { flaky, lenient } = readOptions(options) ?? {}
if (readOptions(options) === undefined) {
  console.error(usage)
  process.exit(options.includes('--help') || options.includes('-h') ? 0 : 1)
}
try {
  const settings = readArguments(process.env)
  address = settings
  const ownNode = process.env.NODE_GRAPHQL_URL || process.env.NODES
  if (flaky !== undefined && ownNode) throw new Error('--flaky: only the embedded node can be flaky, not your own')
  const environment = { ...process.env, ...(lenient && { LENIENT_PAYLOAD: 'true' }) }
  service = await startService({ ...settings, ...(flaky !== undefined && { flaky }), environment })
} catch (error) {
  console.error(startFailure(error, address))
  process.exitCode = 1
}

if (service !== undefined) {
  const { close } = service
  // Ctrl-C reaches this process twice: from the terminal and from the launcher.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void close().then(() => process.exit(0)))
  }
  console.log(await greeting(service))
}
