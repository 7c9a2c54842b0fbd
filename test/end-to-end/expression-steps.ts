// Counts the steps of a regular expression over a text, as a backtracking engine takes them, so that a test of its cost
// depends on no clock. Every match found is the engine's own, or the count means nothing: the tests compare the two.

/** Continues behind a part that has matched; true if all the rest matches, too. */
type Rest = (at: number) => boolean
type Part = (at: number, rest: Rest) => boolean

interface Repetition {
  /** One character or two that the repeated part takes. */
  readonly samples: readonly string[]
  /** Characters that lead to it. */
  readonly before: string
}

interface Counted {
  /** Where it matched; undefined where nothing does. */
  readonly span: readonly [from: number, to: number] | undefined
  readonly steps: number
}

/** Printable characters before others, so that samples can be read. */
const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode((code + 0x30) % 0x180))

const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/
const character =
  /^(?:\\u\{[\dA-Fa-f]+\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[^1-9kpPbBux]|\[(?:\\.|[^\]\\])*\]|[^()|*+?{}[\]^$\\]|[{}\]])/su
/** Longer ones count as unbounded: over an unbounded text they cost as much as if they were. */
const fewTimes = 16

/** Ends a search that costs too much. */
const tooMany = new Error('too many steps')

/** An expression as parts that count their steps. */
export class CountedExpression {
  readonly repetitions: Repetition[] = []
  readonly #flags: string
  readonly #whole: Part
  #pattern: string
  #text = ''
  #steps = 0
  #mostSteps = 0
  /** A text that matches the part of the pattern that has been read. */
  #read = ''

  /** @throws Error for a construct that it does not know */
  constructor({ source, flags }: RegExp) {
    this.#flags = flags.replace(/[gy]/g, '')
    this.#pattern = source
    this.#whole = this.#alternatives()
    if (this.#pattern !== '') throw new Error(`not understood from here: ${this.#pattern}`)
  }

  /**
   * Searches from each place in turn, as `exec` does.
   *
   * @returns infinitely many steps, and no match, where it takes more than `atMost`
   */
  count(text: string, atMost: number): Counted {
    this.#text = text
    this.#steps = 0
    this.#mostSteps = atMost
    try {
      return { span: this.#search(text), steps: this.#steps }
    } catch (error) {
      if (error === tooMany) return { span: undefined, steps: Number.POSITIVE_INFINITY }
      throw error
    }
  }

  #search(text: string): Counted['span'] {
    for (let from = 0; from <= text.length; from++) {
      let to = -1
      const isFound = this.#whole(from, (at) => {
        to = at
        return true
      })
      if (isFound) return [from, to]
    }
    return undefined
  }

  #step(): void {
    this.#steps++
    if (this.#steps > this.#mostSteps) throw tooMany
  }

  #take(expression: RegExp): string | undefined {
    const [taken] = expression.exec(this.#pattern) ?? []
    if (taken !== undefined) this.#pattern = this.#pattern.slice(taken.length)
    return taken
  }

  #alternatives(): Part {
    const before = this.#read
    const parts = [this.#sequence()]
    while (this.#take(/^\|/) !== undefined) {
      this.#read = before
      parts.push(this.#sequence())
    }
    return (at, rest) => parts.some((part) => part(at, rest))
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#pattern !== '' && !/^[|)]/.test(this.#pattern)) parts.push(this.#repeated())
    return (at, rest) => this.#inTurn(parts, 0, at, rest)
  }

  #inTurn(parts: readonly Part[], index: number, at: number, rest: Rest): boolean {
    const part = parts[index]
    return part === undefined ? rest(at) : part(at, (behind) => this.#inTurn(parts, index + 1, behind, rest))
  }

  #repeated(): Part {
    const [before, patternBefore] = [this.#read, this.#pattern]
    const part = this.#single()
    const inner = patternBefore.slice(0, patternBefore.length - this.#pattern.length)
    const times = this.#take(quantifier)
    if (times === undefined) return part
    const [, least = '', most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(times) ?? []
    const bare = times[0] ?? ''
    const min = least === '' ? (bare === '+' ? 1 : 0) : Number(least)
    const max = bare === '?' ? 1 : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    if (max > fewTimes) this.repetitions.push({ samples: samplesOf(inner, this.#flags), before })
    const isLazy = times.length > 1 && times.endsWith('?')
    return (at, rest) => this.#times(part, min, max, isLazy, at, rest)
  }

  #times(part: Part, min: number, max: number, isLazy: boolean, at: number, rest: Rest): boolean {
    const once = () =>
      max > 0 &&
      part(at, (behind) => {
        // An empty repetition beyond the least ends the loop.
        if (behind === at && min <= 0) return false
        return this.#times(part, min - 1, max - 1, isLazy, behind, rest)
      })
    if (min > 0) return once()
    return isLazy ? rest(at) || once() : once() || rest(at)
  }

  #single(): Part {
    const assertion = this.#take(/^(?:\^|\$|\\[bB])/)
    if (assertion !== undefined) return this.#assertion(assertion)
    const opening = this.#take(/^\((?:\?(?:[:=!]|<\w+>))?/)
    if (opening !== undefined) {
      const inside = this.#alternatives()
      if (this.#take(/^\)/) === undefined) throw new Error('a group without an end')
      if (opening === '(?=') return (at, rest) => inside(at, () => true) && rest(at)
      if (opening === '(?!') return (at, rest) => !inside(at, () => true) && rest(at)
      return inside
    }
    const source = this.#take(character)
    if (source === undefined) throw new Error(`not understood: ${this.#pattern}`)
    const isOne = memberOf(source, this.#flags)
    this.#read += characters.find(isOne) ?? ''
    return (at, rest) => {
      this.#step()
      const code = this.#flags.includes('u') ? this.#text.codePointAt(at) : this.#text.charCodeAt(at)
      if (code === undefined || Number.isNaN(code)) return false
      const one = String.fromCodePoint(code)
      return isOne(one) && rest(at + one.length)
    }
  }

  #assertion(sign: string): Part {
    const expression = new RegExp(sign, `${this.#flags}y`)
    return (at, rest) => {
      this.#step()
      expression.lastIndex = at
      return expression.test(this.#text) && rest(at)
    }
  }
}

/** True if a class, an escape or a character holds a character; remembered for each. */
function memberOf(source: string, flags: string): (one: string) => boolean {
  const expression = new RegExp(`^${source}$`, flags.replace('m', ''))
  const known = new Map<string, boolean>()
  return (one) => {
    const isOne = known.get(one) ?? expression.test(one)
    known.set(one, isOne)
    return isOne
  }
}

/** Two characters of each class in a part of a pattern. */
function samplesOf(pattern: string, flags: string): readonly string[] {
  const classes = pattern.match(/\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u.{4}|\\x..|\\?[^()|*+?^$]/gsu) ?? []
  return classes.flatMap((source) => {
    try {
      const isOne = memberOf(source, flags)
      const members = characters.filter(isOne)
      return [members[0], members.at(-1)].filter((one) => one !== undefined)
    } catch {
      // A part of a group's opening, such as `?:`.
      return []
    }
  })
}

/** Ends on which a long match fails. */
const ends = ['', '\0', '\n', '"']

/**
 * Texts that are long where an expression repeats: each repeated character, each pair of them, and what leads to them,
 * before an end on which the match fails.
 */
export function hostileTexts(expression: CountedExpression, length: number): readonly string[] {
  const texts = expression.repetitions.flatMap(({ samples, before }) => {
    const some = [...new Set([...samples, ...before.slice(-1), ' '])].slice(0, 6)
    const pairs = some.flatMap((one) => some.map((other) => one + other))
    const units = [...new Set([...some, ...pairs, before + (samples[0] ?? '')])]
    return units.flatMap((unit) =>
      ['', before].flatMap((start) =>
        ends.map((end) => start + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end),
      ),
    )
  })
  return texts
}
