// The docs page in a browser, as a reader uses it.
import type { Browser, Locator, Page } from 'playwright-core'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'

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

const windowWidth = 1280
/** High, since the viewer draws only those lines of an answer that show. */
const windowHeight = 1600

/** An empty page with a separate profile. */
export async function newPage(browser: Browser): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: windowWidth, height: windowHeight } })
  // On a busy machine anything may take long; the time-out of the test is the guard.
  page.setDefaultTimeout(50_000)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.addInitScript(noteViolations)
  return { page, requested, violations: () => page.evaluate('violations') }
}

/** Opens the docs page and waits until the viewer shows the service. */
export async function openDocs(browser: Browser, origin: string): Promise<OpenPage> {
  const open = await newPage(browser)
  await open.page.goto(`${origin}/docs`)
  await open.page.locator('#viewer').getByRole('heading', { name: 'Chain Explorer REST Service' }).waitFor()
  return open
}

/** The button with which one tries an operation. The viewer draws an operation when its link is followed. */
const buttonOf = (page: Page, { method, path }: Endpoint) => page.getByRole('button', { name: `(${method} ${path})` })

/** Follows the link of an operation and waits for its description. */
export async function goTo(page: Page, endpoint: Endpoint): Promise<void> {
  await page.getByRole('link', { name: endpoint.summary }).first().click()
  await buttonOf(page, endpoint).waitFor()
}

/**
 * The text of an editor, as soon as that is enough. On a slow machine it draws its first lines only, since it measures
 * itself before it has its room: it measures again when the window changes.
 */
async function textIn(editor: Locator, isEnough: (text: string) => boolean): Promise<string> {
  const page = editor.page()
  for (let height = windowHeight; ; height++) {
    const text = await editor.innerText()
    if (isEnough(text)) return text
    await page.setViewportSize({ width: windowWidth, height: height + 1 })
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

/**
 * Tries an operation, and waits until it shows enough of the answer.
 *
 * @param body the text of a POST
 * @returns the answer as the viewer shows it, its status as `200 OK`
 */
export async function tryOut(page: Page, endpoint: Endpoint, isEnough: (text: string) => boolean, body?: string) {
  await goTo(page, endpoint)
  await buttonOf(page, endpoint).click()
  const form = page.getByRole('dialog')
  if (body !== undefined) await form.getByRole('textbox').fill(body)
  await form.getByRole('button', { name: `Send ${endpoint.method} request` }).click()
  const answer = form.getByRole('region', { name: 'Response', exact: true })
  const shown = {
    body: await textIn(answer.getByRole('textbox'), isEnough),
    status: await answer.getByText(/^\d{3} /).innerText(),
  }
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
  return shown
}
