// The packed client as an app of React Native runs it: built for ES2019, with what that platform has, and nothing newer.
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

/** Built-ins that came after ES2019; an engine may lack any of them. */
const newer = `
  delete Object.hasOwn; delete Object.groupBy; delete Map.groupBy; delete Array.fromAsync
  for (const name of ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']) {
    delete Array.prototype[name]
    delete Object.getPrototypeOf(Uint8Array.prototype)[name]
  }
  for (const name of ['at', 'isWellFormed', 'matchAll', 'replaceAll', 'toWellFormed']) delete String.prototype[name]
  for (const name of ['allSettled', 'any', 'try', 'withResolvers']) delete Promise[name]
  for (const name of ['difference', 'intersection', 'isSubsetOf', 'symmetricDifference', 'union']) delete Set.prototype[name]
  for (const name of ['AggregateError', 'Atomics', 'FinalizationRegistry', 'Intl', 'Iterator', 'SharedArrayBuffer', 'WeakRef']) {
    delete globalThis[name]
  }
`

type Package = typeof import('../../packages/client/src/client.ts')

/** The client inside, and the signals of its platform, which know neither a reason nor a time limit. */
export interface ReactNative extends Package {
  readonly AbortController: new () => AbortController
}

/** As the platform's own: it knows signals of the polyfill alone, and its answers have no other members. */
const platformFetch = async (url: string, { signal, ...init }: RequestInit & { readonly signal: AbortSignal }) => {
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  const response = await fetch(url, { ...init, signal: controller.signal })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text: async () => text }
}

/**
 * @param folder of the installed package
 * @param entry one of its entries; the light one has fewer calls than the type says
 */
export async function reactNativeIn(folder: string, entry: 'client' | 'light' = 'client'): Promise<ReactNative> {
  const code = `
    import { AbortController, AbortSignal } from 'abort-controller/dist/abort-controller.mjs'
    Object.assign(globalThis, { AbortController, AbortSignal })
    export * from ${JSON.stringify(`${folder}/dist/${entry}.js`)}
    export { AbortController }
  `
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    globalName: 'app',
    target: 'es2019',
    supported: { bigint: true },
    write: false,
  })
  const context = createContext({ fetch: platformFetch, setTimeout, clearTimeout, URL, URLSearchParams, TextEncoder })
  return runInContext(`${newer}; ${outputFiles[0]?.text}; app`, context)
}
