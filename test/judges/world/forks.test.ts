// Hard forks in the simulated world: histories of broadcasts, fates and reads through the day of one, and chains that break one
// of its rules.
import { expect, test } from '@jest/globals'
import { nothingWrong } from '../../../packages/proofs/world/broadcasts/record.ts'
import { report, runHistories } from '../../../packages/proofs/world/broadcasts/tally.ts'
import { type StartService, service, serviceAs } from '../../../packages/proofs/world/service/service.ts'
import { wrongInForkDays } from '../../../packages/proofs/world/variants/forks.ts'

const fatesAsked = 15

/** Histories that all have a hard fork. */
const forked = (start: StartService, first: number, count: number) =>
  runHistories(first, count, start, 'mixed', fatesAsked, 1)

// A sample: the bench of broadcast histories runs more of them, with `--forks 1`.
test('every answer is true through a hard fork, with two pins', async () => {
  const tally = await forked(service, 1, 22)
  expect(tally.faults).toEqual(nothingWrong)
  // The result means something only if answers of each kind occur, on both chains.
  expect([...tally.outcomes.keys()].sort()).toEqual(['accepted', 'already-known', 'refused', 'unknown'])
  expect([...tally.fates.keys()]).toEqual(
    expect.arrayContaining(['included', 'absent possible', 'pending', 'absent nonce-used']),
  )
  const counted = [...tally.ofForks.keys()]
  for (const pins of ['no pin', 'one pin', 'two pins']) {
    expect(counted).toContain(`${pins}: of the new chain, after the new one began`)
    expect(counted).toContain(`${pins}: of the old chain, after the new one began`)
  }
  for (const kind of ['getBlock 200', 'getBlock 404', 'getBlockAtHeight 200', 'getBlocks 200']) {
    expect(counted).toContain(kind)
  }
  expect(report(tally)).toMatch(/in histories with a hard fork, or with a daemon that stops\n/)
})

test('a share of the histories has a hard fork, and the others are as they were without any', async () => {
  const [none, some] = await Promise.all([0, 0.1].map((forks) => runHistories(1, 9, service, 'mixed', 4, forks)))
  expect(some).toEqual(none)
})

/** The first history that shows each, and the fault that it is counted as. */
const shown: Readonly<Record<keyof typeof wrongInForkDays, readonly [first: number, fault: string]>> = {
  'keeps all that an indexer of the old chain calls canonical': [47, 'false canonical'],
  'takes blocks of the new chain for discarded ones': [234, 'false canonical'],
  'knows nothing from an indexer of the old chain': [8, 'history lost'],
  'stays on the network that is pinned first': [5, 'of a dead chain'],
  'takes the old chain for the network while the new one cannot be reached': [65, 'of a dead chain'],
  'forgets that it has been on the new chain': [61, 'of a dead chain'],
  'does not know the words of a pool before a hard fork': [1, 'pause not told'],
  'keeps the end of a chain that stands still for as long as of one that lives': [8, 'kept too long'],
  'sends to the nodes of every pinned network': [5, 'of a dead chain'],
}

test.each(Object.entries(wrongInForkDays))('a chain that %s is found out', async (name, wrongChain) => {
  const [first, wrong] = shown[name as keyof typeof wrongInForkDays]
  const found: string[] = []
  for (let seed = first; seed < first + 12 && !found.includes(wrong); seed++) {
    found.push(...(await forked(serviceAs(wrongChain), seed, 1)).examples.keys())
  }
  expect(found).toContain(wrong)
})
