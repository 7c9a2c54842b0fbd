// Programs that compare the service with openapi.json: schemathesis sends requests that it makes up, Prism stands between a
// client and the service and refuses whatever the document does not have.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startService } from '../../local/start/service.ts'
import { broadcastsFor } from './broadcasts.ts'
import type { Command } from './tools.ts'

interface Verdict {
  readonly isRight: boolean
  readonly text: string
}

export interface Judge {
  readonly name: string
  readonly version: string
  readonly needs: readonly string[]
  run(
    places: { readonly folder: string; readonly document: string },
    execute: (command: Command) => Promise<string>,
  ): Promise<Verdict>
}

const schemathesis: Judge = {
  name: 'schemathesis',
  version: '4.32.5',
  needs: ['python3'],
  async run({ folder, document }, execute) {
    const service = await startService({ blockSeconds: 3600, log: () => undefined })
    const bin = join(folder, 'schemathesis/bin')
    try {
      await execute({ program: 'python3', args: ['-m', 'venv', join(folder, 'schemathesis')] })
      await execute({ program: join(bin, 'pip'), args: ['install', '-q', `schemathesis==${this.version}`] })
      const args = ['run', document, '--url', service.url, '--max-examples', '100', '--seed', '1', '--no-color']
      // The service reads any media type as JSON, takes unknown members, and answers a header that it does not know.
      const lenient = 'unsupported_method,missing_required_header'
      const printed = await execute({
        program: join(bin, 'schemathesis'),
        args: [...args, '--exclude-checks', lenient],
        cwd: folder,
      }).catch((error: { readonly stdout?: string }) => String(error.stdout ?? error))
      const found = /^.*(?:failure|error).*$/gim.exec(printed)
      if (found !== null) console.error(printed.split('\n').slice(-120).join('\n'))
      return { isRight: found === null, text: found === null ? 'no findings' : found[0].trim() }
    } finally {
      await service.close()
    }
  },
}

/** Waits for the line with the address on which Prism listens. */
async function listening(prism: ReturnType<typeof spawn>): Promise<void> {
  const { stdout } = prism
  if (stdout === null) throw new Error('Prism has no output')
  for await (const chunk of stdout) if (/listening on/i.test(String(chunk))) return
  throw new Error('Prism ended before it listened')
}

const prism: Judge = {
  name: 'Prism',
  version: '5.16.0',
  needs: ['npx'],
  async run({ folder, document }) {
    const service = await startService({ blockSeconds: 3600, log: () => undefined })
    const port = 40_000 + (process.pid % 10_000)
    const args = [
      '--yes',
      `@stoplight/prism-cli@${this.version}`,
      'proxy',
      document,
      service.url,
      '--errors',
      '-p',
      String(port),
    ]
    const proxy = spawn('npx', args, { cwd: folder, detached: true })
    try {
      await listening(proxy)
      const block = /"stateHash":"(\w+)"/.exec(await (await fetch(`${service.url}/blocks?limit=1`)).text())?.[1]
      const gets = [
        '/blocks',
        '/blocks?limit=3',
        `/blocks/${block}`,
        `/accounts/${service.wallets[0]?.publicKey}`,
        '/summary',
      ]
      const statuses = await Promise.all(
        gets.map(async (path) => `${path} ${(await fetch(`http://127.0.0.1:${port}${path}`)).status}`),
      )
      for (const { kind, form, body } of await broadcastsFor(service)) {
        const path = kind === 'payment' ? '/broadcast/transaction' : '/broadcast/delegation'
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        statuses.push(`${kind} ${form} ${answer.status}`)
        if (answer.status !== 201) console.error(`  Prism: ${kind} ${form}: ${await answer.text()}`)
      }
      const odd = statuses.filter((status) => !/ 20[01]$/.test(status))
      return {
        isRight: odd.length === 0,
        text: odd.length === 0 ? `${statuses.length} requests valid` : odd.join(', '),
      }
    } finally {
      if (proxy.pid !== undefined) process.kill(-proxy.pid)
      await once(proxy, 'exit')
      await service.close()
    }
  },
}

export const judges: readonly Judge[] = [schemathesis, prism]
