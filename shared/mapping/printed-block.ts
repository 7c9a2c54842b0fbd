// A block of a node as the JSON of the contract's block, printed once: all but its `receivedTime` is fixed by its state hash.
import { blockFromNode, type NodeBlock } from './block.ts'
import { PrintedJson, printExactJson } from './exact-json.ts'
import { isoTime } from './times.ts'

export interface PrintedBlock {
  /** Without `receivedTime`. */
  readonly json: string
  /** Its place in the JSON. */
  readonly receivedTimeAt: number
  /** See `blockFromNode`. */
  readonly cutFields: readonly string[]
}

/** The key after `receivedTime`. No text holds it, since JSON escapes quotes, and no earlier key has its name. */
const nextKey = ',"snarkJobs":'

/**
 * Prints a block of the best chain.
 *
 * @throws WireError as `blockFromNode`
 */
export function printedBlock(block: NodeBlock): PrintedBlock {
  const { block: shown, cutFields } = blockFromNode(block, true)
  const json = printExactJson(shown)
  return { json, receivedTimeAt: json.indexOf(nextKey), cutFields }
}

/**
 * The JSON of `blockFromNode`.
 *
 * @param receivedAt milliseconds since 1970; without it `receivedTime` is absent
 */
export const jsonOfBlock = ({ json, receivedTimeAt }: PrintedBlock, receivedAt?: number): string =>
  receivedAt === undefined
    ? json
    : `${json.slice(0, receivedTimeAt)},"receivedTime":"${isoTime(receivedAt)}"${json.slice(receivedTimeAt)}`

/** The body of an answer that an instance may give again. */
export class KeptJson extends PrintedJson {
  #isRepeated = false
  #quoted: unknown

  /**
   * From its second answer on, keeps the text escaped for `JSON.stringify`, with which Lambda's runtime client prints a
   * result: escaping a megabyte takes longer than all else in a request whose blocks are kept.
   */
  override speedUp(result: object): void {
    if (this.#isRepeated) {
      this.#quoted ??= JSON.rawJSON(JSON.stringify(this.text))
      Object.defineProperty(result, 'toJSON', { value: () => ({ ...result, body: this.#quoted }) })
    }
    this.#isRepeated = true
  }
}
