// Values that nobody has, as the edge admits them: other ones in each turn, so that no cache has seen the question.
import { unheldValues } from '../../shared/contract/parameters.ts'
import type { Kind, OptionOf } from '../../shared/contract/query/kinds.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

const unheld = { ...unheldValues, memo: memoFromText('') }

/** An id that nobody has, with a label at its end. With a label its checksum is wrong, which no edge sees. */
export function idOf(thing: keyof typeof unheld, label: string): string {
  const start = unheld[thing].slice(0, unheld[thing].length - label.length)
  // A zero is not in the alphabet.
  return start + label.replaceAll('0', 'o')
}

const idAt = (thing: keyof typeof unheld, turn: number): string => idOf(thing, turn === 0 ? '' : `u${turn}`)

/** Values of path parameters; in turn 0 the checksums are right. */
export const unheldInPath = (turn: number) => ({
  state_hash: idAt('state_hash', turn),
  hash: idAt('hash', turn),
  public_key: idAt('public_key', turn),
  height: String(Number(unheld.height) - turn),
  // Below the first block there is nothing to ask for.
  cursor: `${turn + 2}-${idAt('state_hash', turn)}`,
})

/** A number of a range, the greatest in turn 0. */
const downFrom = (max: number, min: number, turn: number): string => String(max - (turn % (max - min + 1)))

/** In turn 0 the value that costs most, with the right checksum. */
const texts: { readonly [Each in Kind]: (turn: number, option: OptionOf<Each>) => string } = {
  count: (turn, { max }) => downFrom(max, 1, turn),
  number: (turn, { min, max }) => downFrom(max, min, turn),
  nanomina: String,
  key: (turn) => idAt('public_key', turn),
  memo: (turn) => idAt('memo', turn),
  cursor: (turn) => `${turn + 1}-${idAt('state_hash', turn)}`,
  choice: (turn, { values }) => values.at(-1 - (turn % values.length)) ?? '',
}

/** The text of an option, another one in each turn as far as there are as many. */
export const unheldText = <Each extends Kind>(option: OptionOf<Each>, turn: number): string =>
  texts[option.kind](turn, option)
