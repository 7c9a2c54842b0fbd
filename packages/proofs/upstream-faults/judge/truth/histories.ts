// A page of an account's history: it may be shorter or end higher under a fault, and never has a gap or a command too many.
import { at, numberText, textOf } from '../../exact-json.ts'
import type { Received } from '../../setting/service.ts'
import { bodyOf, missingIn } from '../answer-form.ts'
import { compared, told } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'

const itemsOf = (body: unknown): readonly unknown[] => [at(body, 'transactions') ?? []].flat()
const hashOf = (item: unknown): string => textOf(at(item, 'command', 'hash'))
const heightIn = (body: unknown, end: 'fromHeight' | 'toHeight'): number =>
  Number(numberText(at(body, 'searched', end)))

/** Node and indexer may differ in the depth of a command. */
const bySource = /^(?:confirmations|final)$/

/** @returns undefined for any answer but a page */
export function historyFaults(
  { scenario: { history }, usual }: Evidence,
  given: Received,
): readonly string[] | undefined {
  if (given.status !== 200 || history === undefined) return undefined
  const [truth, body] = [bodyOf(usual.received), bodyOf(given)]
  const [from, to] = [heightIn(body, 'fromHeight'), heightIn(body, 'toHeight')]
  const held = history.truth.filter(({ height }) => height >= from && height <= to).map(({ hash }) => hash)
  const listed = itemsOf(body).map(hashOf)
  const isWhole = held.toSorted().join() === listed.toSorted().join()
  const known = new Map(itemsOf(truth).map((item) => [hashOf(item), item]))
  const wrong = itemsOf(body).flatMap((item) => {
    const usually = known.get(hashOf(item))
    if (usually === undefined) return []
    const { absent, others } = compared(usually, item)
    const isNamed = (name: string) => missingIn(given).some((missing) => missing.startsWith(`transactions.${name}`))
    return told(
      usually,
      item,
      [...absent, ...others].filter(
        (path) => !bySource.test(textOf(path[0])) && at(usually, ...path) !== undefined && !isNamed(textOf(path[0])),
      ),
    )
  })
  const next = at(body, 'next')
  const end = history.blocks.get(from)
  const isEnd = next === undefined ? from <= 1 : next === `${from}-${end}`
  const pending = compared(at(truth, 'pending'), at(body, 'pending'))
  return [
    ...(isWhole ? [] : [`has ${listed.length} commands of the ${held.length} from ${from} to ${to}`]),
    ...(isEnd ? [] : [`goes on at ${textOf(next)} below ${from}`]),
    ...(heightIn(truth, 'toHeight') === to ? [] : [`begins at ${to}`]),
    ...wrong,
    ...told(at(truth, 'pending'), at(body, 'pending'), [...pending.absent, ...pending.others]),
  ]
}
