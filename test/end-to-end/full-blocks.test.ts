// Answers whose length others decide: blocks as full as Mesa allows.
import { expect, test } from '@jest/globals'
import { fullOfZkapps } from '../../packages/proofs/load/mesa-blocks.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { chainClock, get, now, serviceOver } from './running-service.ts'

test('full blocks are read as many as fit into an answer, and more are a 503 that says so and blames no node', async () => {
  const options = { seed: 'full', historyBlocks: 30, blockSeconds: 90, signsOwnCommands: false }
  const chain = fullOfZkapps(createChain({ ...options, now: () => now }), 10)
  const url = await serviceOver([nodeServer(chain)], [], { clock: chainClock })
  const tip = chain.bestChain().at(-1)
  const { hash } = tip?.zkappCommands[0] ?? {}
  const shown: unknown[] = []
  for (const path of [
    '/blocks?limit=3',
    '/blocks?limit=10',
    `/blocks/before/${tip?.height}-${tip?.stateHash}?limit=10`,
    `/transactions/${hash}`,
    '/blocks?limit=1',
  ]) {
    const { status, body } = await get(url + path)
    shown.push([status, (body as { message?: string }).message])
  }
  const [fewer, full] = [
    'These blocks hold more than one answer can. Ask for fewer of them.',
    'The latest blocks hold more commands than can be read at once.',
  ]
  expect(shown).toEqual([[200], [503, fewer], [503, fewer], [503, full], [200]])
})
