// npm start: the service on this machine, on an embedded chain or before the node of NODE_GRAPHQL_URL.
import { readArguments, startFailure } from './start/arguments.ts'
import { greeting } from './start/greeting.ts'
import { startService } from './start/service.ts'

let address = { host: '', port: 0 }
try {
  const settings = readArguments(process.env)
  address = settings
  const service = await startService({ ...settings, environment: process.env })
  // Ctrl-C reaches this process twice: from the terminal and from the launcher.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void service.close().then(() => process.exit(0)))
  }
  console.log(await greeting(service, settings.blockSeconds))
} catch (error) {
  console.error(startFailure(error, address))
  process.exit(1)
}
