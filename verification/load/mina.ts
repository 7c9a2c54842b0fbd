/** MINA with nine decimals, from nanomina. Written apart from the service's own, which it helps to check. */
export function mina(nanomina: bigint): string {
  const digits = String(nanomina).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}
