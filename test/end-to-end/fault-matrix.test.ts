// The status of every route under a fault of an upstream. The judge checks the rest of each answer, and the next one.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Case } from '../../verification/upstream-faults/cases.ts'
import { type Laboratory, laboratory } from '../../verification/upstream-faults/run.ts'

let lab: Laboratory
let cases: readonly Case[]
beforeAll(async () => {
  lab = await laboratory('fault matrix', 1000)
  cases = await lab.cases()
})
afterAll(() => lab.close())

/** Statuses under the fault, by the operation whose answer it spoils. */
type Statuses = Readonly<Record<string, readonly number[]>>

/** A node that leaves one question without an answer, by the question. */
const unanswered = (status: number): Statuses => ({
  latestBlocks: [status],
  blockByStateHash: [status],
  nodeTip: [status],
  blockAtHeight: [status],
  nodeGenesis: [status],
  accountByPublicKey: [status],
  // Only staking records show the chain id; an account that does not exist has none.
  nodeNetwork: [200, 404],
  chainSummary: [status],
  // The service looks for the command, and finds it where the node took it.
  sendPayment: [201, 400],
  sendDelegation: [201],
  findCommand: [400],
})

const brokenCommand: Statuses = {
  latestBlocks: [502],
  blockByStateHash: [502],
  accountByPublicKey: [502],
  sendPayment: [201],
  sendDelegation: [201],
  findCommand: [400],
}

const rows: readonly (readonly [what: string, fault: RegExp, statuses: Statuses])[] = [
  [
    'a node that breaks its connections',
    /^node (?:names six codings and cuts|resets in the middle|closes the connection)/,
    unanswered(502),
  ],
  [
    'a node that does not answer in GraphQL',
    /^node answers (?:HTML|half a JSON|nothing|a bare text|data: null|HTML with status 502|an error alone)$/,
    unanswered(502),
  ],
  ['a node that is overloaded', /^node answers HTML with status (?:429|503)$/, unanswered(503)],
  ['a node that bootstraps', /^node bootstraps$/, unanswered(503)],
  ['a node that hangs', /^node hangs$/, unanswered(504)],
  [
    'an indexer that breaks its connections',
    /^indexer (?:names six codings and cuts|resets in the middle)/,
    {
      receivedTimesBetween: [200],
      receivedTimeOf: [200, 503],
      indexedBlock: [503],
      epochEndAt: [200],
      indexedAccount: [200, 404],
      stakingLedger: [200],
      stakeOfKey: [200],
      delegatorsOfKey: [200],
    },
  ],
  [
    'another block, another account, a pooled command of another sender',
    /^node sends (?:the block of 3NK|the account of another|a pooled command of another)/,
    { blockByStateHash: [502], accountByPublicKey: [502], findCommand: [201, 400] },
  ],
  [
    'errors beside data, and words that a block is not found beside a block or about another block',
    /^node (?:answers an error beside data|says (?:that it does not hold another|so beside the|so of no) block)$/,
    // The node holds whatever a look-up shows, even beside an error.
    { ...unanswered(502), findCommand: [201, 400] },
  ],
  ['an absent account', /^node forgets the key account$/, { accountByPublicKey: [502], findCommand: [201, 400] }],
  [
    'an account without nonce or with half a timing',
    /^node sends (?:an account without nonce|null for the nonce|an empty timing|half a timing)$/,
    { accountByPublicKey: [502], findCommand: [201, 400] },
  ],
  [
    'a list of blocks that is too long, doubled, reversed or has a gap',
    /^node (?:lists (?:fifteen|each block twice|newest first|the tip three)|leaves the middle out|skips a height)/,
    // A list of one block has no order and may have any height; a longer one is not a tip.
    {
      latestBlocks: [502],
      blockAtHeight: [200, 404, 502],
      nodeTip: [200, 404, 502],
      nodeGenesis: [200, 502],
      accountByPublicKey: [200, 404, 502],
      nodeNetwork: [200, 404],
      chainSummary: [200, 502],
      findCommand: [201, 400],
    },
  ],
  [
    'half a staking ledger',
    /^indexer (?:lacks the own row|does not list who stakes with itself|lacks one delegator|has a total that is too)/,
    { stakeOfKey: [200], delegatorsOfKey: [200] },
  ],
  [
    'a staking ledger that the indexer does not have',
    /^indexer has the staking ledger of epoch 0 only$/,
    { indexedAccount: [200, 404], receivedTimeOf: [200, 404], receivedTimesBetween: [200] },
  ],
  [
    'an indexer that is on another chain, or behind the blocks',
    /^indexer has (?:read another chain|not connected its latest blocks|come to the first blocks only)$/,
    { indexedAccount: [200, 404], receivedTimeOf: [200, 503], receivedTimesBetween: [200] },
  ],
  [
    'a command that contradicts itself',
    /^node (?:calls a command the other kind|names another toAccount|has another token for source)/,
    brokenCommand,
  ],
  ['a command of another token, or with an invalid id', /^node has (?:another feeToken|the id "a b")/, brokenCommand],
  ['a command hash of 100 KB', /^node has the hash "x+" of 100000$/, brokenCommand],
  ['an integer with a point or an exponent', /^node has an amount with/, brokenCommand],
  ['a balance with decimals', /^node sends a balance with decimals$/, { accountByPublicKey: [502] }],
  [
    'an absent list of blocks',
    /^node forgets the key bestChain$/,
    {
      latestBlocks: [502],
      blockAtHeight: [502],
      nodeTip: [502],
      nodeGenesis: [502],
      accountByPublicKey: [502],
      nodeNetwork: [200, 404],
      chainSummary: [502],
      findCommand: [201, 400],
    },
  ],
  [
    'an empty list of blocks',
    /^node lists no block$/,
    {
      latestBlocks: [503],
      blockAtHeight: [503],
      // The answer shows the genesis block, whatever the tip beside it.
      nodeGenesis: [200],
      nodeTip: [503],
      accountByPublicKey: [503],
      nodeNetwork: [200, 404],
      chainSummary: [503],
      findCommand: [201, 400],
    },
  ],
  ['an old block with an unreadable VRF output', /^indexer sends the VRF output "short"$/, { indexedBlock: [503] }],
  [
    'a right answer under an odd status',
    /^node answers rightly with status (?:407|421|500)$/,
    {
      latestBlocks: [200],
      blockByStateHash: [200, 404],
      nodeTip: [200, 404],
      blockAtHeight: [200, 404],
      nodeGenesis: [200],
      accountByPublicKey: [200, 404],
      nodeNetwork: [200, 404],
      chainSummary: [200],
      sendPayment: [201, 400],
      sendDelegation: [201],
      findCommand: [201, 400],
    },
  ],
  [
    'an indexer that says nothing about a block that the node does not hold',
    /^indexer forgets the key block$/,
    { receivedTimeOf: [200, 503], indexedBlock: [503] },
  ],
]

/** The judge alone checks the other operations. */
const known = new Set(rows.flatMap(([, , statuses]) => Object.keys(statuses)))

/** A health tells of every trouble in one status, and a page of a history by its cursor: their judges are enough. */
const judgedAlone: readonly string[] = ['getHealth', 'getAccountTransactions']

/** Five sixths of the cases. */
const manyRequests: readonly string[] = ['getTransaction', 'getAccountTransactions', 'getBlockAtHeight']

/**
 * The cases that the test runs. Where an endpoint has many requests, each fault of a question is tried with one of them, in
 * rotation. Rows with three or more faults run every second case. `bench -- upstream-faults` runs all.
 */
function sampleOf(fault: RegExp): Case[] {
  const met = cases.filter((one) => fault.test(one.fault.name))
  const isDrawn = ({ scenario }: Case) => manyRequests.includes(scenario.endpoint)
  const alike = Map.groupBy(
    met.filter(isDrawn),
    ({ fault, operation, scenario }) => `${fault.name} ${operation} ${scenario.endpoint}`,
  )
  const drawn = [...alike.values()].flatMap((group, index) => group[index % group.length] ?? [])
  const ofQuestion = Map.groupBy(
    [...met.filter((one) => !isDrawn(one)), ...drawn],
    ({ operation, scenario }) => `${operation} ${scenario.endpoint}`,
  )
  const faults = new Set(met.map((one) => one.fault.name)).size
  // A step aside after each request, so that it is not always the same faults.
  const isTried = (index: number) => faults < 3 || (index + Math.floor(index / faults)) % 2 === 0
  return [...ofQuestion.values()].flatMap((group) => group.filter((_, index) => isTried(index)))
}

/** Cases with a hanging node run together, so that their time-outs pass at once. */
const atOnce = (fault: RegExp): number => (fault.test('node hangs') ? 32 : 1)

test.each(rows)('every route answers %s with its status, and is right afterwards', async (_what, fault, statuses) => {
  const seen = new Map<string, Set<number>>()
  const wrong: string[] = []
  const tried = async (one: Case) => {
    for (const { turn, status, wrongs } of await lab.try(one)) {
      const isTold = turn === 'fault' && !judgedAlone.includes(one.scenario.endpoint)
      if (isTold) seen.set(one.operation, (seen.get(one.operation) ?? new Set()).add(status))
      wrong.push(...wrongs.map((why) => `${one.scenario.name}, ${one.fault.name}, ${turn}: ${why}`))
    }
  }
  const sample = sampleOf(fault)
  while (sample.length > 0) await Promise.all(sample.splice(0, atOnce(fault)).map(tried))
  expect(wrong).toEqual([])
  const sorted = [...seen]
    .filter(([operation]) => known.has(operation))
    .map(([operation, all]) => [operation, [...all].sort()])
  expect(Object.fromEntries(sorted)).toEqual(statuses)
})
