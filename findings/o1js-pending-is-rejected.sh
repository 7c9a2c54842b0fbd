#!/usr/bin/env bash
# Most expect: the status `rejected` of o1js means that the network refused the transaction.
# True: it also stands for "not seen yet": for one that still waits after `maxAttempts`, for one whose status could not be
#   asked for once, and for one that the node took while its answer was lost.
# Package: o1js 2.15.0 (npm)
# Why here: a program that pays again after `rejected` pays twice. Only the chain tells what became of a command.
set -euo pipefail
expected="${EXPECTED:-still waiting: rejected; one look fails: rejected; answer lost: rejected, taken by the node 1 times}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts o1js@2.15.0
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { AccountUpdate, Mina, PrivateKey } from 'o1js'

const key = PrivateKey.random()
const account = {
  publicKey: key.toPublicKey().toBase58(), token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
  nonce: '0', balance: { total: '5000000000' }, delegateAccount: null, permissions: null,
  zkappState: null, verificationKey: null, actionState: null, zkappUri: null, provedState: null,
  timing: { initialMinimumBalance: null, cliffTime: null, cliffAmount: null, vestingPeriod: null, vestingIncrement: null },
}
let looks = 'empty'
let loses = false
let taken = 0
// A node that takes every command, and whose blocks have none of them yet.
const node = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const gone = () => { response.statusCode = 502; response.end() }
  const isSent = body.includes('sendZkapp')
  if (isSent) taken += 1
  if (isSent && loses) return gone()
  if (body.includes('bestChain') && looks === 'fail') return gone()
  const data = isSent ? { sendZkapp: { zkapp: { hash: '5J', id: 'x', failureReason: null } } }
    : body.includes('account(') ? { account } : { bestChain: [] }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data }))
}).listen(0, '127.0.0.1')
await new Promise((done) => node.once('listening', done))
Mina.setActiveInstance(Mina.Network({ networkId: 'testnet', mina: `http://127.0.0.1:${node.address().port}/graphql` }))
const send = async () => {
  const sender = key.toPublicKey()
  const transaction = await Mina.transaction({ sender, fee: 1e8, nonce: 0 }, async () => {
    AccountUpdate.createSigned(sender).send({ to: sender, amount: 1 })
  })
  return transaction.sign([key]).safeSend()
}
const accepted = await send()
if (accepted.status !== 'pending') throw new Error(`the node took it, but: ${accepted.status} ${accepted.errors}`)
const waiting = await accepted.safeWait({ maxAttempts: 1, interval: 10 })
looks = 'fail'
const unseen = await accepted.safeWait({ maxAttempts: 1, interval: 10 })
taken = 0
loses = true
const lost = await send()
console.log(`still waiting: ${waiting.status}; one look fails: ${unseen.status}; answer lost: ${lost.status}, taken by the node ${taken} times`)
process.exit(0)
JS
seen="$(node run.mjs | tail -n 1)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
