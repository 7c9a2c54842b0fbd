// npm start: the service on this machine, over an embedded chain or the node of NODE_GRAPHQL_URL.
import { readArguments, startFailure, usage } from './start/arguments.ts'
import { greeting } from './start/greeting.ts'
import { type Service, startService } from './start/service.ts'

let service: Service | undefined
let address = { host: '', port: 0 }
const options = process.argv.slice(2)
if (options.length > 0) {
  console.error(usage)
  process.exit(options.includes('--help') || options.includes('-h') ? 0 : 1)
}
try {
  const settings = readArguments(process.env)
  address = settings
  service = await startService({ ...settings, environment: process.env })
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
