// npm run pictures: the pictures of the documents, taken of the service on its embedded chain.
//
//   npm run pictures              into docs/images
//   npm run pictures -- FOLDER    also each page narrow and wide, light and dark, to look at
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { serveExplorer } from '../../local/demo/explorer.ts'
import { launchChromium } from './chromium.ts'
import { docsPictureText, withMark } from './picture-mark.ts'

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

async function take(from: Browser, { page: url, width, colorScheme, file }: Shot): Promise<void> {
  const page = await from.newPage({ viewport: { width, height: heightOf(width) }, colorScheme })
  await page.clock.setFixedTime(now + 35_000)
  await page.route(`${address}/**`, async (route) => {
    const asked = route.request().url().replace(address, explorer.url)
    await route.fulfill({ response: await route.fetch({ url: asked }) })
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.screenshot({ path: file })
  await page.close()
  console.log(file)
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

for (const shot of shots) await take(browser, shot)
const docsPicture = join(images, 'docs-page.png')
writeFileSync(docsPicture, withMark(readFileSync(docsPicture), docsPictureText()))
await browser.close()
await explorer.close()
