// Broadcasts: never called refused while a node holds the command, never called sent while none does.
import type { Received } from '../../setting/service.ts'
import { bodyOf } from '../answer-form.ts'
import { compared, told } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'

export function broadcastFaults({ usual, isHeld, spoiling }: Evidence, given: Received): readonly string[] {
  const outcome = given.headers['x-broadcast-outcome'] ?? 'none'
  if (given.status === 201) {
    const [usualBody, body] = [bodyOf(usual.received), bodyOf(given)]
    const { absent, others } = compared(usualBody, body)
    const isKnown = outcome === 'accepted' || outcome === 'already-known'
    return [
      ...(isHeld && isKnown ? [] : [`called ${outcome}, and held: ${isHeld}`]),
      ...told(usualBody, body, [...absent, ...others]),
    ]
  }
  // A look whose answers are whole finds what a node holds.
  const isLookUseless = spoiling?.operation === 'findCommand' || spoiling?.fault.mayCountAsNone === true
  const mustFind = isHeld && !isLookUseless
  const right = isHeld ? ['unknown'] : ['unknown', 'refused']
  return mustFind || given.status !== 400 || !right.includes(outcome)
    ? [`wanted ${mustFind ? '201' : `400 ${right.join(' or ')}`}, got ${given.status} ${outcome}`]
    : []
}
