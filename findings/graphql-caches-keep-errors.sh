#!/usr/bin/env bash
# Most expect: an answer with `errors` is not cached, as servers' caches leave it out.
# True: Apollo Client with `errorPolicy: 'all'` keeps the null and forgets the error: the next query is "no block", without an
#   error and without a request. urql keeps both, and gives the error again for as long as the page lives.
# Package: @apollo/client 4.3.8, @urql/core 6.0.3 (npm)
# Why here: a node that starts answers `bestChain: null` with an error for minutes. Before a node's GraphQL such a cache goes on
#   saying so when the node is back.
set -euo pipefail
expected="${EXPECTED:-Apollo Client: null with an error, then null, 1 request; urql: null with an error, then null with an error, 1 request}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @apollo/client@4.3.8 rxjs@7.8.2 graphql@16.12.0 @urql/core@6.0.3
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, Client, fetchExchange } from '@urql/core'

const starting = {
  data: { bestChain: null },
  errors: [{ message: 'Could not obtain best chain from transition frontier', path: ['bestChain'] }],
}
const ready = { data: { bestChain: [{ __typename: 'Block', stateHash: '3NK' }] } }
let requests = 0
const node = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(requests++ === 0 ? starting : ready))
  })
}).listen(0, '127.0.0.1')
await new Promise((done) => node.once('listening', done))
const url = `http://127.0.0.1:${node.address().port}/graphql`
const text = '{ bestChain(maxLength: 1) { stateHash } }'
const shown = ({ data, error }) => `${data?.bestChain === null ? 'null' : 'a block'}${error ? ' with an error' : ''}`
async function twice(name, ask) {
  requests = 0
  const [first, second] = [shown(await ask()), shown(await ask())]
  return `${name}: ${first}, then ${second}, ${requests} request${requests === 1 ? '' : 's'}`
}
const apollo = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: url }) })
const urql = new Client({ url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false })
const lines = [
  await twice('Apollo Client', () => apollo.query({ query: gql(text), errorPolicy: 'all' })),
  await twice('urql', () => urql.query(text, {}).toPromise()),
]
console.log(lines.join('; '))
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
