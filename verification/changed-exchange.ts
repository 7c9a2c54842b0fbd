// An exchange that differs from the right one in some of its members.
import type { Exchange } from '../shared/chain/port.ts'

/** Everything that is not changed goes to the exchange, which keeps its own state. */
export const withChanges = <Whole extends Exchange>(exchange: Whole, changes: Partial<Whole>): Whole =>
  new Proxy(exchange, {
    get(target, key) {
      const value: unknown = key in changes ? Reflect.get(changes, key) : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
