// Programs that compare the service with openapi.json: schemathesis sends requests that it makes up, Prism stands between a
// client and the service and refuses whatever the document does not have.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startService } from '../../../../local/start/service.ts'
import { broadcastsFor, includedPayment } from './broadcasts.ts'
import { compareWithRelease } from './release-diff.ts'
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
      // A made-up signature fits no command, and the API gateway answers other methods with 404.
      const decided = 'positive_data_acceptance,unsupported_method'
      const printed = await execute({
        program: join(bin, 'schemathesis'),
        args: [...args, '--exclude-checks', decided],
        cwd: folder,
      }).catch((error: { readonly stdout?: string }) => String(error.stdout ?? error))
      const findings = printed.match(/^- \w+ .*$[\s\S]*?^Reproduce with:/gm) ?? []
      // A larger number of blocks is taken for the largest, as docs/decisions.md says.
      const undecided = findings.filter((finding) => !/parameter `limit` in query - .*maximum/.test(finding))
      for (const finding of undecided) console.error(finding)
      const cases = /(\d+) generated/.exec(printed)?.[1]
      const isRight = undecided.length === 0 && cases !== undefined
      return { isRight, text: `${cases ?? 'no'} requests, ${undecided.length} findings` }
    } finally {
      await service.close()
    }
  },
}

/** Resolves when Prism has printed the address on which it listens. */
const listening = (prism: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let printed = ''
    prism.stdout?.on('data', (chunk) => {
      printed += String(chunk)
      if (/listening on/i.test(printed)) resolve()
    })
    prism.once('exit', () => reject(new Error(`Prism ended before it listened: ${printed}`)))
  })

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
    const proxy = spawn('npx', args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await listening(proxy)
      const block = /"stateHash":"(\w+)"/.exec(await (await fetch(`${service.url}/blocks?limit=1`)).text())?.[1]
      const gets = [
        '/blocks',
        '/blocks?limit=3',
        `/blocks/${block}`,
        `/accounts/${service.wallets[0]?.publicKey}`,
        '/summary',
        `/blocks/height/${service.chain?.tip().height}`,
        `/transactions/${(await includedPayment(service)).hash}`,
      ]
      const statuses: string[] = []
      const sending = async (what: string, path: string, request: RequestInit = {}): Promise<void> => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, request)
        const text = await answer.text()
        const { validation = [] }: { validation?: readonly { readonly message: string }[] } = JSON.parse(text)
        // Prism reads numbers as doubles and refuses what they cannot hold.
        const isAboutDoubles = validation.every(({ message }) =>
          message.endsWith(`must be <= ${Number.MAX_SAFE_INTEGER}`),
        )
        const isRight = answer.ok || (validation.length > 0 && isAboutDoubles)
        statuses.push(`${what} ${isRight ? 'valid' : answer.status}`)
        if (!isRight) console.error(`  Prism: ${what}: ${text}`)
      }
      for (const path of gets) await sending(path, path)
      for (const { kind, form, body } of await broadcastsFor(service)) {
        const path = kind === 'payment' ? '/broadcast/transaction' : '/broadcast/delegation'
        const headers = { 'content-type': 'application/json' }
        await sending(`${kind} ${form}`, path, { method: 'POST', headers, body: JSON.stringify(body) })
      }
      const odd = statuses.filter((status) => !status.endsWith(' valid'))
      return {
        isRight: odd.length === 0,
        text: odd.length === 0 ? `${statuses.length} requests valid` : odd.join(', '),
      }
    } finally {
      if (proxy.pid !== undefined && proxy.exitCode === null) {
        process.kill(-proxy.pid)
        await once(proxy, 'exit')
      }
      await service.close()
    }
  },
}

const oasdiff: Judge = {
  name: 'oasdiff',
  version: 'v1.35.0',
  needs: ['go', 'git'],
  run(places, execute) {
    return compareWithRelease(places, `github.com/oasdiff/oasdiff@${this.version}`, execute)
  },
}

const spectral: Judge = {
  name: 'spectral',
  version: '6.16.3',
  needs: ['npx'],
  async run({ folder, document }, execute) {
    const [ruleset, findings] = [join(folder, 'spectral.json'), join(folder, 'findings.json')]
    await writeFile(ruleset, JSON.stringify({ extends: 'spectral:oas' }))
    const args = ['lint', document, '-r', ruleset, '-f', 'json', '-o', findings, '-q']
    const command = { program: 'npx', args: ['--yes', `@stoplight/spectral-cli@${this.version}`, ...args], cwd: folder }
    // It ends with 1 where it has found an error.
    const failure = await execute(command).then(
      () => undefined,
      (error: unknown) => error,
    )
    // It writes no file where it has found nothing.
    const printed = await readFile(findings, 'utf8').catch(() => {
      if (failure !== undefined) throw failure
      return '[]'
    })
    const found: readonly { readonly severity: number; readonly code: string; readonly path: readonly string[] }[] =
      JSON.parse(printed)
    for (const { code, path } of found) console.error(`  spectral: ${code} at ${path.join('/')}`)
    const errors = found.filter(({ severity }) => severity === 0).length
    return { isRight: errors === 0, text: `${errors} errors, ${found.length - errors} warnings` }
  },
}

export const judges: readonly Judge[] = [schemathesis, prism, spectral, oasdiff]
