// A daemon that stops and goes on answering, behind one address with a good one and beside it: every page, pool and fate is true of
// the chain that ends with its label. And wrong services that put two answers together, each of which the judge must see.
import { expect, test } from '@jest/globals'
import { runHistory } from '../../../packages/proofs/world/broadcasts/history.ts'
import { nothingWrong, type Untruth } from '../../../packages/proofs/world/broadcasts/record.ts'
import { runHistories } from '../../../packages/proofs/world/broadcasts/tally.ts'
import { service, serviceAs } from '../../../packages/proofs/world/service/service.ts'
import { wrongBetween } from '../../../packages/proofs/world/variants/between.ts'
import { fateLies } from '../../../packages/proofs/world/variants/fates.ts'

/** As the bench asks. */
const usual = { fates: 20, forks: 0.1, stops: 0.4 }

// A sample: the bench of broadcast histories runs thousands.
test('in histories with a daemon that stops every answer is true', async () => {
  const { faults, ofForks, requests } = await runHistories(1, 25, service, 'mixed', usual.fates, 0, 1)
  expect(faults).toEqual(nothingWrong)
  // The result means something only if there are pages of each kind.
  const told = [...ofForks.keys()]
  const pages = ['getBlocksBefore', 'getAccountTransactions'].flatMap((name) => [`${name} 200`, `${name} 409`])
  expect(told).toEqual(expect.arrayContaining([...pages, 'getPool 200', 'getAccount 200']))
  expect(requests).toBeGreaterThan(100)
})

const wrongServices = {
  ...wrongBetween,
  'believes a pool against the ledger': fateLies['believes a pool against the ledger'],
}

/** The first history that shows each wrong service, and the fault it is counted as. */
const shown: Readonly<Record<keyof typeof wrongServices, readonly [seed: string, Untruth]>> = {
  'judges a page by the tip of another answer': ['145', 'page below a dead block'],
  'takes an indexer’s word for a cursor, without the node’s proof': ['8', 'false 409'],
  'believes a pool against the ledger': ['78', 'false pending'],
}

test.each(Object.entries(shown))('a service that %s is found out', async (name, [seed, wrong]) => {
  const start = serviceAs(wrongServices[name as keyof typeof wrongServices])
  expect((await runHistory(seed, start, 'mixed', usual)).faults).toContain(wrong)
})

// 13 and 260: the block that proves an indexer was looked for at the daemon that had stopped below it.
test.each([...new Set(Object.values(shown).map(([seed]) => seed)), '13', '260'])(
  'the right service does nothing wrong in history %s',
  async (seed) => {
    expect((await runHistory(seed, service, 'mixed', usual)).faults).toEqual([])
  },
)
