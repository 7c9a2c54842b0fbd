// The docs page of npm start over HTTP: whatever a browser would load from it.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { greeting } from '../../../local/start/greeting.ts'
import { type Service, startService } from '../../../local/start/service.ts'
import { docsPolicy } from '../../../shared/agreements/docs-page.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ repeat: () => () => undefined, log: () => undefined })
})
afterAll(() => service.close())

test('npm start prints the address of a page whose policy, scripts and description are all there', async () => {
  const [, address = ''] = /^Docs page +(\S+)/m.exec(await greeting(service)) ?? []
  expect(address).toBe(`${service.url}/docs`)
  const page = await fetch(`${address}/`)
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, docsPolicy])
  const html = await page.text()
  const linked = Array.from(html.matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, path]) => path)
  const loaded = await Promise.all(linked.map((path) => fetch(`${service.url}${path}`)))
  expect(loaded.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'text/javascript; charset=utf-8'],
    [200, 'text/javascript; charset=utf-8'],
    [200, 'application/json'],
  ])
  await Promise.all(loaded.map((answer) => answer.text()))
})

test('the description is served to any origin, for the deployment itself, and only once to whoever keeps it', async () => {
  const address = `${service.url}/openapi.json`
  const answer = await fetch(address, { headers: { origin: 'https://wallet.example' } })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
  const again = await fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const head = await fetch(address, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
  expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, expect.any(Number)])
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
})

test('what the page does not have is not found, as any unknown path', async () => {
  const [file, path] = await Promise.all([fetch(`${service.url}/docs/page.js`), fetch(`${service.url}/nothing`)])
  expect([file.status, await file.text()]).toEqual([path.status, await path.text()])
  expect(file.status).toBe(404)
})
