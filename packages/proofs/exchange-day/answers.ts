// Plays the person on call, who appends the lines that the program proposes.
import type { ExchangeProgram } from './program.ts'

const proposed = /append to orders\.jsonl: (\{.*"order": "[^"]+"\})$/

/** Answers each question of a program, once. */
export function answersOf(program: ExchangeProgram) {
  const answered = new Set<string>()
  return {
    /** How many lines were appended. */
    get size() {
      return answered.size
    },
    get adopted() {
      return [...answered].filter((answer) => answer.startsWith('{"adopt"')).length
    },
    /** Appends to orders.jsonl what the program proposes now; without books a start from the first nonce. */
    answer(): void {
      for (const line of program.adopt()) {
        const answer = line.includes('{"start": 0}') ? '{"start": 0}' : proposed.exec(line)?.[1]
        if (answer === undefined || answered.has(answer)) continue
        answered.add(answer)
        program.append(answer)
      }
    },
  }
}
