/** Handles a rejection now, since the promise may reject before anyone awaits it, or is never awaited. */
export function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined)
  return promise
}
