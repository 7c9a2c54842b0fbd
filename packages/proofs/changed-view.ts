// A request's view of the chain, or a part of it, that differs from the right one in some of its members.

/** Everything that is not changed goes to the whole, which keeps its own state. */
export const withChanges = <Whole extends object>(whole: Whole, changes: Partial<Whole>): Whole =>
  new Proxy(whole, {
    get(target, key) {
      const value: unknown = key in changes ? Reflect.get(changes, key) : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
