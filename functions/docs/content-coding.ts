// Chooses the compressed form of a file that a request accepts.

/** In order of preference: brotli is a sixth smaller. */
const codings = ['br', 'gzip'] as const

export type ContentCoding = (typeof codings)[number]

const weighted = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/i

/**
 * The coding in which to answer; a name takes precedence over `*`, and a weight of 0 refuses.
 *
 * @param acceptEncoding the header, undefined without one
 * @returns undefined for the plain file
 */
export function acceptedCoding(acceptEncoding = ''): ContentCoding | undefined {
  const weights = new Map(
    acceptEncoding.split(',').map((entry) => {
      const [, coding = '', weight = '1'] = weighted.exec(entry) ?? []
      return [coding.toLowerCase(), Number(weight)]
    }),
  )
  return codings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0)
}
