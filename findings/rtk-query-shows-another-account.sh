#!/usr/bin/env bash
# Most expect: `data` of `useAccountQuery(key)` is that key's, and undefined until there is an answer.
# True: with another key `data` stays the last key's, and `isSuccess` true, until the answer is there. If that is an error, `data`
#   still holds the other key's permanently. `currentData` is what `data` seems to be.
# Package: @reduxjs/toolkit 2.15.0, react-redux 9.3.1, react 19.3.1, react-dom 19.3.1, happy-dom 21.0.4 (npm)
# Why here: a wallet that changes accounts shows, or signs by, the balance and nonce of another one; a new account's 404 keeps them.
set -euo pipefail
expected="${EXPECTED:-A: data of A; B, asking: data of A, isSuccess true, currentData undefined; B, after its 404: data of A, isError true, currentData undefined}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @reduxjs/toolkit@2.15.0 react-redux@9.3.1 react@19.3.1 react-dom@19.3.1 \
  happy-dom@21.0.4
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { Window } from 'happy-dom'

const window = new Window()
for (const name of ['document', 'navigator']) Object.defineProperty(globalThis, name, { value: window[name] })
globalThis.window = window
const { createElement } = await import('react')
const { createRoot } = await import('react-dom/client')
const { configureStore } = await import('@reduxjs/toolkit')
const { createApi, fetchBaseQuery } = await import('@reduxjs/toolkit/query/react')
const { Provider } = await import('react-redux')

const service = createServer(({ url }, response) => {
  response.writeHead(url === '/A' ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(url === '/A' ? { publicKey: 'A' } : { message: 'no account' }))
}).listen(0, '127.0.0.1')
await new Promise((done) => service.once('listening', done))
const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: `http://127.0.0.1:${service.address().port}` }),
  endpoints: ({ query }) => ({ account: query({ query: (key) => `/${key}` }) }),
})
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})
const seen = new Map()
const Account = ({ publicKey }) => {
  const state = api.useAccountQuery(publicKey)
  seen.set(`${publicKey} ${state.isFetching ? 'asking' : 'answered'}`, state)
}
const root = createRoot(document.createElement('div'))
const show = async (publicKey) => {
  root.render(createElement(Provider, { store }, createElement(Account, { publicKey })))
  while (!seen.has(`${publicKey} answered`)) await new Promise((done) => setTimeout(done, 10))
}
await show('A')
await show('B')
const [first, asking, after] = ['A answered', 'B asking', 'B answered'].map((name) => seen.get(name))
console.log(
  `A: data of ${first.data?.publicKey}; ` +
    `B, asking: data of ${asking.data?.publicKey}, isSuccess ${asking.isSuccess}, currentData ${asking.currentData?.publicKey}; ` +
    `B, after its ${after.error?.status}: data of ${after.data?.publicKey}, isError ${after.isError}, currentData ${after.currentData?.publicKey}`,
)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
