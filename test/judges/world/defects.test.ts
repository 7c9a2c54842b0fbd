// Each defect that was once measured is put back into the right chain, and each chain that believes too much about a command
// takes its place: the simulated world must see it. That the right chain shows none of them is tested beside.
import { expect, test } from '@jest/globals'
import type { Layout } from '../../../packages/proofs/world/broadcasts/setting.ts'
import { runHistories } from '../../../packages/proofs/world/broadcasts/tally.ts'
import { checksOf, runTrial } from '../../../packages/proofs/world/reads/measures.ts'
import { trialNamed } from '../../../packages/proofs/world/reads/trials.ts'
import { type StartService, serviceAs } from '../../../packages/proofs/world/service/service.ts'
import { defects } from '../../../packages/proofs/world/variants/defects.ts'
import { fateLies } from '../../../packages/proofs/world/variants/fates.ts'

/** Finds the faults of a service, as text. It may stop at the wanted one. */
type Look = (start: StartService, wanted: string) => Promise<readonly string[]>

/** One history after the other, from the first that shows the fault. */
const histories =
  (layout: Layout, from = 1, fatesAsked = 0): Look =>
  async (start, wanted) => {
    const found: string[] = []
    for (let seed = from; seed < from + 80 && !found.includes(wanted); seed++) {
      found.push(...(await runHistories(seed, 1, start, layout, fatesAsked)).examples.keys())
    }
    return found
  }

const reads =
  (name: string, sessions = 1): Look =>
  async (start) => {
    const trial = trialNamed(name)
    const figures = await runTrial(start, trial, sessions)
    return checksOf(trial, figures, figures).flatMap(({ name, isMet }) => (isMet ? [] : [name]))
  }

const [three, beside, fates] = [
  histories('three addresses'),
  histories('beside a healthy node'),
  histories('nodes behind', 2, 20),
]

const wrongChains = { ...defects, ...fateLies }

/** The layout that reveals each variant, and the fault it is counted as. */
const shown: Readonly<Record<keyof typeof wrongChains, readonly [Look, string]>> = {
  'calls a node unsafe while its network is being asked': [three, 'left out'],
  'does not wait for the first listed node': [beside, 'left out'],
  'checks the network by daemonStatus': [beside, 'left out'],
  'gives up with the first node that does not say its network': [beside, 'left out'],
  'believes that every node is on its network': [beside, 'sent elsewhere'],
  'takes an absence for evidence': [reads('canonical, one address, a daemon stuck'), 'wrong canonical'],
  'believes the first absence': [reads('1 of three daemons of one address hold the block, in turn'), 'share of 404'],
  'sheds every read for a second after a busy answer': [
    reads('one address that refuses 1 % of the calls'),
    'failed share',
  ],
  'spares a node for half a minute after it refused ten calls': [
    reads('one address refused every call for a minute, one visitor a second', 10),
    'seconds until the first 200',
  ],
  'puts a node last after two useless answers': [
    reads('the only node at the tip fails a third of the questions for a height'),
    'failed share',
  ],
  'takes the wall clock for every time': [
    reads('the service’s clock is set back an hour while a node is down'),
    'seconds until it is used again',
  ],
  'believes no tip ahead of its clock': [reads('the service’s clock is two slots slow, one address'), 'failed'],
  'asks no node for its network for ten seconds after a failure': [histories('mixed', 42), 'sent elsewhere'],
  'counts what was never sent among its three calls': [reads('three of five nodes refuse connections'), 'failed'],
  'waits for daemonStatus before it reads': [reads('a node hangs at daemonStatus'), 'p99 in ms'],
  'joins no second node once its budget is empty': [
    reads('the budget is empty when the node that is asked first hangs', 10),
    'slowest in ms',
  ],
  'forgets what it has shown': [reads('the newest node goes down, one that lags is left'), 'false 404'],
  'leaves calls running behind the answer': [reads('one black hole'), 'left running'],
  'takes a Rust node for a daemon': [histories('mixed', 36), 'unexplained unknown'],
  // Few pools have no ledger, and the healthy node beside one mostly answers first.
  'does not know the words of a pool without a ledger': [
    histories('beside a healthy node', 271),
    'unexplained unknown',
  ],
  'believes a node that lies behind': [fates, 'false included'],
  'calls an absence at one node an absence at all': [fates, 'false absent'],
  'takes what waits in a pool for included': [histories('nodes behind', 6, 20), 'false included'],
  'believes a pool against the ledger': [histories('nodes behind', 75, 20), 'false pending'],
  'makes a command its own rival': [fates, 'false replaced'],
  'forgets that the ledger is past the nonce': [histories('nodes behind', 80, 20), 'false expired'],
  // Few histories have an indexer at an orphan, and a wallet that asks for a command in it by the hash that nodes use.
  'believes an indexer on a long dead branch of the same genesis': [histories('mixed', 210, 20), 'false replaced'],
  'takes what an indexer shows for another command without proof': [histories('mixed', 16, 20), 'false replaced'],
  'takes an orphan of the indexer for canonical': [histories('nodes behind', 204, 20), 'false included'],
}

test.each(Object.entries(wrongChains))('a chain that %s is found out', async (name, wrongChain) => {
  const [look, wrong] = shown[name as keyof typeof wrongChains]
  expect(await look(serviceAs(wrongChain), wrong)).toContain(wrong)
})
