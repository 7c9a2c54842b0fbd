// Untrusted texts in a terminal.

/** Control characters, ESC and C1 among them, marks of text direction, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/**
 * A text of an upstream as one line for a terminal: blanks and line ends become one blank, and what a terminal obeys
 * becomes U+FFFD.
 *
 * @param maxLength in UTF-16 units; a longer text is cut, with `…`
 */
export function plainLine(text: string, maxLength: number): string {
  const isCut = text.length > 4 * maxLength
  const line = (isCut ? text.slice(0, 4 * maxLength) : text).replace(/\s+/g, ' ').replace(unprintable, '\ufffd').trim()
  return line.length > maxLength || isCut ? `${line.slice(0, maxLength)}…` : line
}
