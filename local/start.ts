// npm start: the service on this machine, over an embedded chain or the node of NODE_GRAPHQL_URL.
import { logToStdout } from '../functions/runtime/log.ts'
import { readArguments, startFailure, usage } from './start/arguments.ts'
import { heldLog } from './start/held-log.ts'
import { alsoTo, linesFile } from './start/lines-file.ts'
import { readOptions } from './start/options.ts'
import type { Service } from './start/service.ts'

const { env } = process
const held = heldLog(logToStdout())
let service: Service | undefined
let address = { host: '', port: 0, nodePort: 0 }
try {
  const options = readOptions(process.argv.slice(2), env)
  if (options === 'help') console.log(usage)
  else {
    const settings = readArguments(env)
    address = settings
    const { flaky, lenient, lines } = options
    const log = lines === undefined ? held.log : alsoTo(linesFile(lines), held.log)
    const hasOwnNode = env.NODE_GRAPHQL_URL || env.NODES
    if (flaky !== undefined && hasOwnNode) throw new Error('--flaky: only the embedded node can be flaky, not your own')
    if (settings.keep !== undefined && hasOwnNode)
      throw new Error('KEEP: only the embedded chain can be kept, not that of your own node')
    const environment = { ...env, ...(lenient && { LENIENT_PAYLOAD: 'true' }) }
    // Loaded late: --help and a mistake in the settings need none of it.
    const { startService } = await import('./start/service.ts')
    service = await startService({ ...settings, ...(flaky !== undefined && { flaky }), environment, log })
  }
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
  const { greeting } = await import('./start/greeting.ts')
  console.log(await greeting(service))
  held.release()
}
