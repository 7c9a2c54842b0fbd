// Draws the charts of docs/figures.md, and writes that page, from the figures that are committed. Measures nothing.
//
//   npm run bench -- charts
import { writeDrawn } from './figures/files.ts'

await writeDrawn()
