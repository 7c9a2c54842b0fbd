// npm run pictures: the pictures of the documents, taken of the service on its embedded chain.
//
//   npm run pictures              into docs/images
//   npm run pictures -- FOLDER    also each page narrow and wide, light and dark, to look at
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startService } from '../../local/start/service.ts'
import { launchChromium } from './chromium.ts'

interface Shot {
  readonly path: string
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly file: string
}

/** The pages by the names of their pictures. */
const pages = { 'docs-page': '/docs' }

const heightOf = (width: number): number => (width < 600 ? 844 : 800)

/** As `npm start` says it, whether or not its port is free. */
const address = 'http://127.0.0.1:8080'

async function take(browser: Browser, url: string, { path, width, colorScheme, file }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: heightOf(width) }, colorScheme })
  await page.route(`${address}/**`, async (route) => {
    const asked = route.request().url().replace(address, url)
    await route.fulfill({ response: await route.fetch({ url: asked }) })
  })
  await page.goto(address + path, { waitUntil: 'networkidle' })
  await page.screenshot({ path: file })
  await page.close()
  console.log(file)
}

const images = join(import.meta.dirname, '../../docs/images')
const [folder] = process.argv.slice(2)
const shots = Object.entries(pages).flatMap(([name, path]): readonly Shot[] => [
  { path, width: 1280, colorScheme: 'light', file: join(images, `${name}.png`) },
  ...(folder === undefined
    ? []
    : [1280, 390].flatMap((width) =>
        (['light', 'dark'] as const).map((colorScheme) => {
          const file = join(folder, `${name}-${width}-${colorScheme}.png`)
          return { path, width, colorScheme, file }
        }),
      )),
])

if (folder !== undefined) mkdirSync(folder, { recursive: true })
const browser = await launchChromium('service.example')
if (browser === undefined) process.exit(1)
// A chain that stands still, so that the same pictures come out each time.
const now = () => Date.UTC(2026, 0, 1)
const service = await startService({ now, repeat: () => () => undefined, log: () => undefined })
for (const shot of shots) await take(browser, service.url, shot)
await browser.close()
await service.close()
