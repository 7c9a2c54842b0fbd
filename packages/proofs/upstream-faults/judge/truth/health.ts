// The health of the upstreams: under a fault they look worse, never better.
import { at } from '../../exact-json.ts'
import type { Received } from '../../setting/service.ts'
import { bodyOf } from '../answer-form.ts'
import { compared, told } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'

const worstLast: readonly unknown[] = ['ok', 'degraded', 'down']

export function healthFaults({ usual }: Evidence, given: Received): readonly string[] {
  const [truth, body] = [bodyOf(usual.received), bodyOf(given)]
  const { absent, others } = compared(truth, body)
  // Which network an indexer must be on is told by a node's tip.
  const left = absent.filter((path) => path.join('.') === 'indexer' && at(body, 'tip') !== undefined)
  const wrong = others.filter((path) => {
    if (path[0] === 'nodes')
      return Number(JSON.stringify(at(body, ...path))) > Number(JSON.stringify(at(truth, ...path)))
    if (path.join('.') === 'indexer.lag')
      return Number(JSON.stringify(at(body, ...path))) < Number(JSON.stringify(at(truth, ...path)))
    if (path.join('.') === 'indexer.answering') return at(body, ...path) !== false
    if (path[0] !== 'status') return true
    // Where the length of a slot is not known, it takes longer until a tip counts as too old.
    const isFresher = at(body, 'tipAgeSlots') === undefined
    return !isFresher && worstLast.indexOf(at(body, 'status')) < worstLast.indexOf(at(truth, 'status'))
  })
  const isDown = at(body, 'status') === 'down'
  const status = given.status === (isDown ? 503 : 200) ? [] : [`${given.status} for ${at(body, 'status')}`]
  return [...status, ...told(truth, body, [...left, ...wrong])]
}
