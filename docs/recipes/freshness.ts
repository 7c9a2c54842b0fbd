/** The age of an answer in seconds: its time in caches, and the time since its tip was made. */
export function ageOf({ headers }: Response, now: number) {
  const inCaches = Number(headers.get('age') ?? 0)
  const tipAt = Date.parse(headers.get('x-chain-time') ?? '')
  return { inCaches, sinceItsTip: Math.round((now - tipAt) / 1000), isSynced: headers.get('x-node-sync') === 'SYNCED' }
}
