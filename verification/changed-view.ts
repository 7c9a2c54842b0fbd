// A request's view of the chain that differs from the right one in some of its members.
import type { ChainView } from '../shared/chain/port.ts'

/** Everything that is not changed goes to the view, which keeps its own state. */
export const withChanges = <Whole extends ChainView>(view: Whole, changes: Partial<Whole>): Whole =>
  new Proxy(view, {
    get(target, key) {
      const value: unknown = key in changes ? Reflect.get(changes, key) : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
