// Tests in a browser, which are skipped where none is installed.
import { afterAll, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** @param hostName is this machine to the browser */
export async function describeInBrowser(
  hostName: string,
  title: string,
  tests: (browser: Browser) => void,
): Promise<void> {
  const browser = await launchChromium(hostName)
  const described = browser === undefined ? describe.skip : describe
  described(title, () => {
    afterAll(() => browser?.close())
    tests(browser as Browser)
  })
}
