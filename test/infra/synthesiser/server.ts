// Calls functions of the modules in `stacks/`, on request over loopback. A call is made once, whichever test files ask.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SynthesiserCall, SynthesiserResult } from './call.ts'

// The CDK prints warnings there too; tests read those from the assembly.
console.error = () => undefined

async function resultOf({ module, name, args }: SynthesiserCall): Promise<SynthesiserResult> {
  try {
    const functions = await import(new URL(`../stacks/${module}`, import.meta.url).href)
    return { value: functions[name](...args) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

const results = new Map<string, Promise<string>>()

const server = createServer(async (request, response) => {
  const call = await text(request)
  const result = results.get(call) ?? resultOf(JSON.parse(call)).then((made) => JSON.stringify(made))
  results.set(call, result)
  response.end(await result)
})
// While the CDK works nothing else runs, so a connection would be closed just when a test uses it again.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.(`http://127.0.0.1:${port}`)
})
// Jest has ended, perhaps by a signal.
process.on('disconnect', () => process.exit())
