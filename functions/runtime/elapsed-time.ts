/** Milliseconds on a clock that is never set. `performance` would be loaded with the first request. */
export const elapsedMs = (): number => process.uptime() * 1000
