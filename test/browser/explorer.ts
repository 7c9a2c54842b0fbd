// The explorer page over an embedded chain, at a time that stands still.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import { untilFileEnds } from '../serving.ts'

/** When the tip was made. */
export const start = Date.UTC(2026, 0, 1)

export type Explorer = Awaited<ReturnType<typeof startExplorer>>

export async function startExplorer() {
  const options = { now: () => start, repeat: () => () => undefined, log: () => undefined, signsOwnCommands: false }
  return untilFileEnds(await serveExplorer(options))
}

/** An empty page of a reader in Japan, 35 seconds after the tip; time passes where a test lets it. */
export async function stillPage(browser: Browser, options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'Asia/Tokyo', ...options })
  page.setDefaultTimeout(50_000)
  await page.clock.install({ time: start })
  await page.clock.pauseAt(start + 35_000)
  return page
}
