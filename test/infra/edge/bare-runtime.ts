// A context like CloudFront's JavaScript runtime: the built-ins of ES 5.1 only. It counts the characters and elements that
// built-in functions read, and refuses regular expressions that might backtrack, since their steps cannot be counted.
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

/** Their time does not depend on the length of the text or the list. */
const constant = ['constructor', 'charAt', 'charCodeAt', 'push', 'pop', 'toString', 'valueOf']

/** One character or class, repeated or not, and nothing behind it: each character of a text is looked at once. */
const linearExpression = /^\/(?:\[[^\]\\]+\]|\\?[^[\\(])\+?\/g?$/

/** @throws Error for a regular expression whose steps the length of its text does not bound */
function mustBeLinear(pattern: unknown): void {
  const isText = typeof pattern === 'string'
  if (!isText && !linearExpression.test(String(pattern))) throw new Error(`${pattern} may backtrack`)
}

/** They take a regular expression. Apart from these, only its `test` may run one. */
const withPattern = ['match', 'replace', 'search', 'split']

type Members = Record<PropertyKey, unknown>

function reduce(owner: Members, names: string): void {
  const kept = names.split(/\s+/)
  for (const key of Reflect.ownKeys(owner)) if (!kept.includes(String(key))) Reflect.deleteProperty(owner, key)
}

export interface BareFunction {
  /** @returns the result of the code's `handler` for an event */
  call(event: unknown): unknown
  /** The characters and elements that built-in functions have read so far. */
  readonly read: number
}

/** The file name under which the profiler knows the code. */
export const bareFile = 'viewer-function.js'

/** @throws an error where the code uses a built-in that the runtime lacks */
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
  // Its steps cannot be counted, and the other functions work without it.
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
