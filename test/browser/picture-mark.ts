// What a picture of a page shows, as text inside its file: pixels differ from machine to machine, and this does not.
import { brotliDecompressSync, crc32 } from 'node:zlib'
import { docsFiles } from '../../functions/docs/page/files.ts'

const keyword = 'Shows\0'

/** Of the signature, and of the header chunk, which has to be the first one. */
const headBytes = 8 + 25

/** @returns the picture with the text, in Latin-1, as its second chunk */
export function withMark(png: Buffer, text: string): Buffer {
  const data = Buffer.from(`tEXt${keyword}${text}`, 'latin1')
  const chunk = Buffer.alloc(data.length + 8)
  chunk.writeUInt32BE(data.length - 4)
  data.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(data), data.length + 4)
  return Buffer.concat([png.subarray(0, headBytes), chunk, png.subarray(headBytes)])
}

/** @returns undefined for a picture without a mark */
export function markOf(png: Buffer): string | undefined {
  const [start, end] = [headBytes + 8, headBytes + 8 + png.readUInt32BE(headBytes)]
  const text = png.toString('latin1', start, end)
  return text.startsWith(keyword) ? text.slice(keyword.length) : undefined
}

/** In the explorer, its words but for the chain's own: its title, field, menu, status, heading and columns. */
export const explorerWords = `Array.from(
  document.querySelectorAll('h1, input, button, nav a, header p, h2, th, main p'),
  ({ placeholder, innerText }) => (placeholder ?? innerText).replace(/[^\\x20-\\x7e]+/g, ' ').trim(),
).filter(Boolean).join(', ')`

/** The words of the docs page's first screen: its title, its menu, and the first request. */
export function docsPictureText(): string {
  const page = brotliDecompressSync(docsFiles().get('/docs')?.encoded('br') ?? '').toString()
  const [shown = ''] = page.match(/<header class="top">.*?<div class="facts">/s) ?? []
  const words = shown
    .replace(/<pre.*?<\/pre>/gs, '')
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
  return words
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}
