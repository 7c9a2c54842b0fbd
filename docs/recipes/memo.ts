const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** A memo as the chain has it: base58check of a version, a tag, its length and 32 bytes. Throws a RangeError past 32 bytes. */
export async function memoOnChain(text: string) {
  const memo = new TextEncoder().encode(text)
  const payload = Uint8Array.from([0x14, 1, memo.length, ...memo, ...Array<number>(32 - memo.length).fill(0)])
  const checksum = (await sha256(await sha256(payload))).subarray(0, 4)
  let digits = ''
  let left = [...payload, ...checksum].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  for (; left > 0n; left /= 58n) digits = alphabet[Number(left % 58n)] + digits
  return digits
}
