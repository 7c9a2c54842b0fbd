const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

/**
 * Sends a signed command again and again until its outcome is known. The same bytes can be paid only once, so sending them
 * again is how to look the outcome up.
 */
export async function sendUntilKnown(
  url: string,
  path: string,
  signed: string,
  patienceSeconds: number,
  wait = seconds,
) {
  for (let waited = 0; ; ) {
    const response = await fetch(url + path, { method: 'POST', body: signed }).catch(() => undefined)
    const outcome = response?.headers.get('x-broadcast-outcome') ?? 'unknown'
    const code = response?.headers.get('x-broadcast-code') ?? 'no-answer'
    if (outcome !== 'unknown') return { outcome, code, hash: response?.headers.get('x-transaction-hash') ?? undefined }
    // A used nonce: this command was included, or another one was. Blocks and account show which.
    if (code === 'bad-nonce' || waited >= patienceSeconds) return { outcome, code, hash: undefined }
    const pause = Number(response?.headers.get('retry-after') ?? 5)
    await wait(pause)
    waited += pause
  }
}
