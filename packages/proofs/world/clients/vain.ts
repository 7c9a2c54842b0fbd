// Which answers a client has asked for in vain: sendings that are refused, and searches of older blocks that come to nothing.

/**
 * A search comes past each height once. Where a daemon that stopped below it breaks it off, it is taken up there at the next
 * look, and its pauses begin anew with each block that it reads. So it comes to nothing where it is broken off again at the same
 * height, and where the service has no block under its tip there.
 *
 * @param searches how many run: one for each open command
 * @returns whether an answer was asked for in vain, to be called for each in turn, with the words of the edge
 */
export function vainAnswers(searches: () => number) {
  const brokenOff = new Map<string, number>()
  return (path: string, status: number, told: readonly string[]): boolean => {
    if (told[0] === 'refused') return true
    if (!path.startsWith('GET /blocks/height/') || status !== 404) return false
    if (!told.includes('behind')) return true
    const times = (brokenOff.get(path) ?? 0) + 1
    brokenOff.set(path, times)
    return times > searches()
  }
}
