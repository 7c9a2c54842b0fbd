// Clients in the simulated world: nobody is made to pay twice, told "not paid" of what was paid, or left without an end. And
// wrong clients, each of which the judge must see.
import { expect, test } from '@jest/globals'
import { runHistory } from '../../../packages/proofs/world/clients/history.ts'
import { followers } from '../../../packages/proofs/world/clients/setting.ts'
import { report, runHistories } from '../../../packages/proofs/world/clients/tally.ts'
import { vainAnswers } from '../../../packages/proofs/world/clients/vain.ts'
import { type WrongClient, wrongs } from '../../../packages/proofs/world/clients/verdict.ts'
import { wrongClients } from '../../../packages/proofs/world/variants/clients.ts'

const nothingWrong = Object.fromEntries(wrongs.map((wrong) => [wrong, 0]))

// A sample: the bench of client histories runs thousands.
test('every payment is made once, and has its end', async () => {
  const tally = await runHistories(8, 14)
  expect(tally.faults).toEqual(nothingWrong)
  // The result means something only if commands end in each way.
  const ends = [...tally.ends.keys()].filter((name) => !name.includes('open'))
  expect(ends).toEqual(expect.arrayContaining(followers.map((follower) => `${follower}: included`)))
  const states = new Set(ends.map((name) => name.replace(/.*: /, '')))
  expect([...states].sort()).toEqual(['expired', 'failed', 'included', 'refused', 'replaced'])
})

/** The first history that shows each wrong client, and the fault it is counted as. */
const shown: Readonly<Record<keyof typeof wrongClients, readonly [seed: string, WrongClient]>> = {
  'takes its clock’s word that the blocks with its command were searched': ['12', 'paid twice'],
  'waits for more blocks than a final one has': ['12', 'stays open'],
  'counts twelve blocks more than there are': ['268', 'told paid'],
  'lets an owner sign again after a failure under few blocks': ['25', 'paid twice'],
  'counts a block by the tip of another answer': ['8', 'credited what the chain does not hold'],
  'names what replaced a command by the chain’s hash alone': ['49', 'paid twice'],
  'takes a refusal for an end although it was sent before': ['3', 'told not paid'],
  'takes the code expired for an end': ['48', 'told not paid'],
  // Most services can tell by themselves.
  'does not know what else its owner has signed with the nonce': ['1964', 'stays open'],
  'searches the older blocks again at each look': ['2', 'stays open'],
  'says from memory that a rival has replaced a command': ['4', 'told falsely when asked again'],
  'takes the first 404 of its account for an end': ['34', 'queue ended by a 404'],
  'never pauses for more than five seconds': ['115', 'asks too often'],
  'says nothing while it waits': ['8', 'not told'],
}

test.each(Object.entries(shown))('a client that %s is found out', async (name, [seed, wrong]) => {
  const variant = wrongClients[name as keyof typeof wrongClients]
  expect((await runHistory(seed, { variant })).faults).toContain(wrong)
})

test.each([...new Set(Object.values(shown).map(([seed]) => seed))])(
  'the right client does nothing wrong in history %s, which shows a wrong one',
  async (seed) => {
    expect((await runHistory(seed)).faults).toEqual([])
  },
)

// A daemon that stopped has no block above its own tip. In history 1278 of an earlier service the searches of four commands met it
// 40 times in an hour, and read nine blocks between.
test('a search that a daemon behind breaks off is in vain only where it comes no further', () => {
  const isInVain = vainAnswers(() => 2)
  const at = (height: number, ...told: string[]) => isInVain(`GET /blocks/height/${height}`, 404, told)
  // Two searches come past each height.
  expect([at(9, 'behind'), at(9, 'behind'), at(8, 'behind'), at(7, 'behind')]).toEqual(new Array(4).fill(false))
  expect([at(7, 'behind'), at(7, 'behind'), at(7, 'behind')]).toEqual([false, true, true])
  // The service has no more blocks: the search has come to nothing.
  expect([at(6), at(6)]).toEqual([true, true])
})

test('the report names the first history with a fault', async () => {
  const tally = await runHistories(3, 1, wrongClients['takes a refusal for an end although it was sent before'])
  expect(report(tally)).toMatch(/told not paid +1 +--replay 3/)
})
