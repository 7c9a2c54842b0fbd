// A context like CloudFront's JavaScript runtime: what ES 5.1 has and nothing else. It counts what built-in functions read,
// and refuses regular expressions that might backtrack, since their steps cannot be counted.
import { createContext, runInContext } from 'node:vm'

const globals = `Object Function Array String Boolean Number Date RegExp Error RangeError ReferenceError SyntaxError TypeError
  URIError Math JSON NaN Infinity undefined parseInt parseFloat isNaN isFinite
  decodeURI decodeURIComponent encodeURI encodeURIComponent`

const members: Readonly<Record<string, string>> = {
  Object: `length name prototype getPrototypeOf getOwnPropertyDescriptor getOwnPropertyNames create defineProperty
    defineProperties seal freeze preventExtensions isSealed isFrozen isExtensible keys`,
  'Object.prototype': `constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable`,
  'Array.prototype': `constructor length toString toLocaleString concat join pop push reverse shift slice sort splice unshift
    indexOf lastIndexOf every some forEach map filter reduce reduceRight`,
  'String.prototype': `constructor length toString valueOf charAt charCodeAt concat indexOf lastIndexOf localeCompare match
    replace search slice split substring toLowerCase toLocaleLowerCase toUpperCase toLocaleUpperCase trim`,
}

/** What takes the same time however long the text or the list is. */
const constant = ['constructor', 'charAt', 'charCodeAt', 'push', 'pop', 'toString', 'valueOf']

/** One character or class, repeated or not, and nothing behind it: each character of a text is looked at once. */
const linearExpression = /^\/(?:\[[^\]\\]+\]|\\?[^[\\(])\+?\/g?$/

/** @throws Error for a regular expression whose steps the length of its text does not bound */
function mustBeLinear(pattern: unknown): void {
  const isText = typeof pattern === 'string'
  if (!isText && !linearExpression.test(String(pattern))) throw new Error(`${pattern} may backtrack`)
}

/** What takes a regular expression; nothing else but its own `test` may run one. */
const withPattern = ['match', 'replace', 'search', 'split']

type Members = Record<PropertyKey, unknown>

function reduce(owner: Members, names: string): void {
  const kept = names.split(/\s+/)
  for (const key of Reflect.ownKeys(owner)) if (!kept.includes(String(key))) Reflect.deleteProperty(owner, key)
}

export interface BareFunction {
  /** @returns what the code's `handler` makes of an event */
  call(event: unknown): unknown
  /** How many characters and elements the built-in functions have read so far. */
  readonly read: number
}

/** The file name under which the profiler knows the code. */
export const bareFile = 'viewer-function.js'

/** @throws what the code throws where it uses what the runtime does not have */
export function bareFunction(code: string): BareFunction {
  const context = createContext({})
  const named = (name: string): Members => runInContext(name, context)
  let read = 0
  const counting = (owner: Members, name: string, sizeOf: (self: unknown, given: readonly unknown[]) => number) => {
    const original = owner[name]
    if (typeof original !== 'function') return
    owner[name] = function (this: unknown, ...given: unknown[]) {
      read += sizeOf(this, given)
      return Reflect.apply(original, this, given)
    }
  }
  for (const [name, kept] of Object.entries(members)) reduce(named(name), kept)
  for (const name of ['String.prototype', 'Array.prototype']) {
    for (const key of Object.getOwnPropertyNames(named(name))) {
      if (constant.includes(key)) continue
      counting(named(name), key, (self, [pattern]) => {
        if (withPattern.includes(key)) mustBeLinear(pattern)
        return (self as { length: number }).length
      })
    }
  }
  counting(named('RegExp.prototype'), 'test', (self, [text]) => {
    mustBeLinear(self)
    return String(text).length
  })
  counting(named('Object'), 'keys', (_self, [object]) => Object.keys(object as object).length)
  counting(named('globalThis'), 'decodeURIComponent', (_self, [text]) => String(text).length)
  // What the other functions do cannot be counted through it, and they work without it.
  Reflect.deleteProperty(named('RegExp.prototype'), 'exec')
  reduce(named('globalThis'), globals)
  runInContext(code, context, { filename: bareFile })
  return {
    call(event) {
      const json = JSON.stringify(JSON.stringify(event))
      return JSON.parse(runInContext(`JSON.stringify(handler(JSON.parse(${json})))`, context))
    },
    get read() {
      return read
    },
  }
}
