// The docs page in a browser, as a reader uses it.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'

/** To the browser a host like any other: some scripts behave differently on `localhost` and `127.0.0.1`. */
export const hostName = 'docs.example'

export const originOf = (url: string) => `http://${hostName}:${new URL(url).port}`

export interface OpenPage {
  readonly page: Page
  /** Every address that the page has asked. */
  readonly requested: readonly string[]
  /** Refusals of the page's content security policy. */
  violations(): Promise<readonly string[]>
}

const noteViolations = `
  globalThis.violations = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    violations.push(effectiveDirective + ' ' + blockedURI)
  })`

/** An empty page with a separate profile. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
  // On a busy machine anything may take long; the time-out of the test is the guard.
  page.setDefaultTimeout(50_000)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.addInitScript(noteViolations)
  return { page, requested, violations: () => page.evaluate('violations') }
}

/** Opens the docs page, and waits until it has filled in what it reads from the service. */
export async function openDocs(browser: Browser, origin: string, options?: BrowserContextOptions): Promise<OpenPage> {
  const open = await newPage(browser, options)
  await open.page.goto(`${origin}/docs`, { waitUntil: 'networkidle' })
  return open
}

/** The page's section on an endpoint. */
export const sectionOf = (page: Page, { summary }: Endpoint) => page.getByRole('region', { name: summary, exact: true })

/**
 * Sends a request of the page as it stands.
 *
 * @returns the status and the body that the page shows, and the body as it came
 */
export async function send(page: Page, endpoint: Endpoint) {
  const section = sectionOf(page, endpoint)
  const answered = page.waitForResponse((response) => response.request().method() === endpoint.method)
  await section.getByRole('button', { name: `Send ${endpoint.method} ${endpoint.path}` }).click()
  const received = await (await answered).text()
  const status = await section
    .getByRole('status')
    .getByText(/^\d{3} /)
    .innerText()
  const body = await section.getByRole('group', { name: 'Answer to' }).innerText()
  return { status, body, received }
}
