// npm run pictures: the pictures of the documents, taken of the service on its embedded chain.
//
//   npm run pictures              into docs/images
//   npm run pictures -- FOLDER    also each page narrow and wide, light and dark, to look at
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import { launchChromium } from './chromium.ts'
import { docsPictureText, explorerWords, withMark } from './picture-mark.ts'

interface Shot {
  readonly page: string
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly file: string
}

const heightOf = (width: number): number => (width < 600 ? 844 : 800)

/** As `npm start` says it, whether or not its port is free. */
const address = 'http://127.0.0.1:8080'

const images = join(import.meta.dirname, '../../docs/images')
const [folder] = process.argv.slice(2)
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const browser = await launchChromium('service.example')
if (browser === undefined) process.exit(1)

// A chain that stands still, so that the same pictures come out each time.
const now = Date.UTC(2026, 0, 1)
const explorer = await serveExplorer({ now: () => now, repeat: () => () => undefined, log: () => undefined })

/** By the names of their pictures. */
const pages = {
  'docs-page': `${address}/docs`,
  explorer: `${explorer.page}?api=${address}`,
}

/** @returns the words of the explorer, if it is the page */
async function take(from: Browser, { page: url, width, colorScheme, file }: Shot): Promise<string> {
  const viewport = { width, height: heightOf(width) }
  const page = await from.newPage({ viewport, colorScheme, locale: 'en-US', timezoneId: 'UTC' })
  await page.clock.setFixedTime(now + 35_000)
  await page.route(`${address}/**`, async (route) => {
    const asked = route.request().url().replace(address, explorer.url)
    await route.fulfill({ response: await route.fetch({ url: asked }) })
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.screenshot({ path: file })
  const words = await page.evaluate<string>(explorerWords)
  await page.close()
  console.log(file)
  return words
}

const shots = Object.entries(pages).flatMap(([name, page]): readonly Shot[] => [
  { page, width: 1280, colorScheme: 'light', file: join(images, `${name}.png`) },
  ...(folder === undefined
    ? []
    : [1280, 390].flatMap((width) =>
        (['light', 'dark'] as const).map((colorScheme) => {
          const file = join(folder, `${name}-${width}-${colorScheme}.png`)
          return { page, width, colorScheme, file }
        }),
      )),
])

for (const shot of shots) {
  const words = await take(browser, shot)
  if (!shot.file.startsWith(images)) continue
  const mark = shot.page === pages.explorer ? words : docsPictureText()
  writeFileSync(shot.file, withMark(readFileSync(shot.file), mark))
}
await browser.close()
await explorer.close()
