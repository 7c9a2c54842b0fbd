// Files of deposit addresses in the encodings that common tools write, some with words that are not public keys.
import type { Wallet } from '../../testnet/chain.ts'

interface KeyFile {
  readonly bytes: Uint8Array
  /** The line that the program must print about it, if any. */
  readonly line?: string
}

const wrong = (line: number, word: string) =>
  `keys.txt, line ${line}: "${word}" is not a public key: a letter is wrong, missing or too many`

/** A key with its last letter mistyped. */
const mistyped = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

/** @param other whose private key stands in one of the files */
export function keyFilesOf(keys: readonly string[], other: Wallet): readonly KeyFile[] {
  const [first = ''] = keys
  const lines = (...more: readonly string[]) => [...keys, ...more].map((line) => `${line}\r\n`).join('')
  const marked = Buffer.from(`\ufeff${lines()}`, 'utf16le')
  const after = keys.length + 1
  return [
    { bytes: Buffer.from(`\ufeff${lines()}`) },
    { bytes: marked },
    { bytes: Buffer.from(lines(mistyped(first))), line: wrong(after, mistyped(first)) },
    { bytes: Buffer.from(marked).swap16() },
    { bytes: Buffer.from(lines('deposits')), line: wrong(after, 'deposits') },
    {
      bytes: Buffer.from(lines(other.privateKey)),
      line: `keys.txt, line ${after}: a private key, not shown: take it out of this file, and move its funds if others could read it`,
    },
    {
      bytes: Buffer.from(lines().slice(first.length + 2)),
      line: `keys.txt lacks ${first}: it is watched all the same; to end that append {"forget": "${first}"} to orders.jsonl`,
    },
  ]
}
