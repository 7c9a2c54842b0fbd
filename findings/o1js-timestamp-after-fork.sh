#!/usr/bin/env bash
# Most expect: `network.timestamp` of o1js is the time of the latest block, as the node's block has it.
# True: it is genesisTimestamp + globalSlotSinceGenesis * slotDuration. Since a hard fork a node's genesis timestamp and slot
#   length are the new chain's, but its slots count from the first genesis: on mainnet the result lies years ahead.
# Package: o1js 2.15.0 (npm)
# Why here: a zkApp that unlocks money by such a time unlocks it years early. Compare slots, or the time of a block.
set -euo pipefail
expected="${EXPECTED:-block 2026-09-13, o1js 2029-06-08}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts o1js@2.15.0
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { AccountUpdate, fetchLastBlock, Mina, PrivateKey, Provable } from 'o1js'

// Mainnet's fork of 3 September 2026: slot 958440 and its time; ten days of slots of 90 s later.
const [forkSlot, forkTime, slotDuration, passed] = [958_440, Date.parse('2026-09-03T18:00:00Z'), 90_000, 9_600]
const date = forkTime + passed * slotDuration
const hash = 'jx3wvqS6CfYyzvn3ubnyAVubydFDFptmMeM1UxVspoTTXQuxf5s'
const state = '3NKZ1bpCs41kfvXJsEid2ujV93JKB6GMkk8snBk9s8ceH3RX4puv'
const epochData = {
  ledger: { hash, totalCurrency: '1' }, seed: '2va9BGv9JrLTtrzZttiEMDYw1Zj6a6EHzXjmP9evHDTG3oEquURA',
  startCheckpoint: state, lockCheckpoint: state, epochLength: '1',
}
const block = {
  protocolState: {
    blockchainState: { snarkedLedgerHash: hash, date: String(date) },
    consensusState: {
      blockHeight: '550000', slotSinceGenesis: String(forkSlot + passed), minWindowDensity: '77', totalCurrency: '1',
      nextEpochData: epochData, stakingEpochData: epochData,
    },
  },
}
const constants = {
  genesisConstants: { genesisTimestamp: new Date(forkTime).toISOString(), coinbase: '720000000000', accountCreationFee: '1000000000' },
  daemonStatus: { consensusConfiguration: { epochDuration: 1, k: 290, slotDuration, slotsPerEpoch: 7140 } },
}
const node = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: body.includes('genesisConstants') ? constants : { bestChain: [block] } }))
}).listen(0, '127.0.0.1')
await new Promise((done) => node.once('listening', done))
Mina.setActiveInstance(Mina.Network({ networkId: 'mainnet', mina: `http://127.0.0.1:${node.address().port}/graphql` }))
await fetchLastBlock()
let shown
await Mina.transaction(async () => {
  const update = AccountUpdate.create(PrivateKey.random().toPublicKey())
  const time = update.network.timestamp.get()
  Provable.asProver(() => (shown = Number(time.toBigInt())))
  update.network.timestamp.requireNothing()
})
const day = (time) => new Date(time).toISOString().slice(0, 10)
console.log(`block ${day(date)}, o1js ${day(shown)}`)
process.exit(0)
JS
seen="$(node run.mjs | tail -n 1)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
