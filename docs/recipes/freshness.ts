/** How old an answer is, in seconds: how long caches kept it, and how long before that its block was made. */
export function ageOf({ headers }: Response, now: number) {
  const inCaches = Number(headers.get('age') ?? 0)
  const tipAt = Date.parse(headers.get('x-chain-time') ?? '')
  return { inCaches, sinceItsTip: Math.round((now - tipAt) / 1000), isSynced: headers.get('x-node-sync') === 'SYNCED' }
}
