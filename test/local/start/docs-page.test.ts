// The docs page of npm start over HTTP: everything that a browser would load from it.
import { beforeEach, describe, expect, test } from '@jest/globals'
import { greeting } from '../../../local/start/greeting.ts'
import { type Service, startService } from '../../../local/start/service.ts'
import { docsPolicy } from '../../../shared/http/docs-page.ts'
import { untilTestEnds } from '../serving.ts'

describe('npm start', () => {
  let service: Service
  beforeEach(async () => {
    service = untilTestEnds(await startService({ repeat: () => () => undefined, log: () => undefined }))
  })

  test('prints the address of a page whose policy, scripts and description can all be loaded', async () => {
    const [, address = ''] = /^Docs page +(\S+)/m.exec(await greeting(service)) ?? []
    expect(address).toBe(`${service.url}/docs`)
    const page = await fetch(`${address}/`)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, docsPolicy])
    const linked = Array.from((await page.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, path]) => path)
    const loaded = await Promise.all(linked.map((path) => fetch(`${service.url}${path}`)))
    expect(loaded.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
      [200, 'text/javascript; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [200, 'application/json'],
    ])
    await Promise.all(loaded.map((answer) => answer.text()))
  })

  test('serves the description to any origin, for the deployment itself, and once to a caller who keeps it', async () => {
    const address = `${service.url}/openapi.json`
    const answer = await fetch(address, { headers: { origin: 'https://wallet.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
    const again = await fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    const head = await fetch(address, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    expect(head.status).toBe(200)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
  })

  test('answers for a file that the page does not have as for any unknown path', async () => {
    const [file, path] = await Promise.all([fetch(`${service.url}/docs/page.js`), fetch(`${service.url}/nothing`)])
    expect([file.status, await file.text()]).toEqual([404, await path.text()])
  })
})
