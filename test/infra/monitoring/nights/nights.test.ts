// The table of nights: each trouble of an upstream, what readers get, which alarms ring with which page of the runbook, and
// that all end after the repair.
import type { RequestListener } from 'node:http'
import { expect, test } from '@jest/globals'
import { templateOf } from '../../stack-template.ts'
import { ringingAlarms } from './alarm-states.ts'
import { createRehearsal, type RehearsalOptions, type Trouble, well } from './rehearsal.ts'

const template = await templateOf()

const dead: RequestListener = (request) => request.socket.destroy()
const answering =
  (status: number, body = ''): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const bootstrapping = answering(200, '{"data":null,"errors":[{"message":"Daemon is bootstrapping"}]}')

/** Three quarters of an hour, after which each alarm rings that will, unless a night has more. */
const troubledRounds = 9
/** What the longest short window of an alarm needs to pass. */
const restRounds = 7

async function nightWith({ trouble, options, rounds = troubledRounds }: Night) {
  const service = await createRehearsal(options)
  await service.round()
  expect(ringingAlarms(template, service, service.now())).toEqual([])
  Object.assign(service, trouble)
  const answers = new Map<number, number>()
  const rung = new Map<string, string>()
  const rollsBack = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const status of await service.round()) answers.set(status, (answers.get(status) ?? 0) + 1)
    for (const alarm of ringingAlarms(template, service, service.now())) {
      rung.set(alarm.name, alarm.section)
      if (alarm.rollsBack) rollsBack.add(alarm.name)
    }
  }
  Object.assign(service, well)
  const after = await service.round()
  for (let round = 1; round < restRounds; round++) await service.quietRound()
  return {
    answers: Object.fromEntries(answers),
    alarms: Object.fromEntries(rung),
    rollsBack: [...rollsBack],
    after: [...new Set(after)].toSorted(),
    stillRinging: ringingAlarms(template, service, service.now()).map(({ name }) => name),
  }
}

const failing = 'failing-requests'

const mainnetSinceMesa = '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7'

/** Pins the chain, and another one as that which is to come. */
const beforeFork: RehearsalOptions['settings'] = (chain) => ({
  GENESIS_STATE_HASH: [chain.genesisBlock().stateHash, mainnetSinceMesa].join(),
})

/** A node without an answer: reads fail, and the fate of each broadcast is unknown. */
const allFails = {
  ErrorBudgetFast: failing,
  ErrorBudgetSlow: failing,
  RouteFaults: failing,
  RouteFaults2: failing,
  TipAge: 'tip-age',
  UnknownBroadcasts: 'unknown-broadcasts',
}

interface Night {
  readonly trouble: Partial<Trouble>
  readonly options?: RehearsalOptions
  /** How many rounds of five minutes it lasts. */
  readonly rounds?: number
  /** How many answers of each status there are while it lasts. */
  readonly answers: Readonly<Record<number, number>>
  /** The sections of the runbook by alarm. */
  readonly alarms: Readonly<Record<string, string>>
  /** Those that would also roll a deployment back. */
  readonly rollsBack?: readonly string[]
  /** Those that its end does not silence. */
  readonly stillRinging?: readonly string[]
}

const nights: Readonly<Record<string, Night>> = {
  'the node is down': {
    trouble: { node: dead },
    answers: { 400: 9, 502: 126, 503: 9 },
    alarms: allFails,
  },
  'the node is bootstrapping': {
    trouble: { node: bootstrapping },
    answers: { 400: 9, 503: 135 },
    alarms: allFails,
  },
  'the node refuses the key': {
    trouble: { node: answering(401) },
    answers: { 400: 9, 502: 126, 503: 9 },
    alarms: allFails,
  },
  'no broadcast reaches the node': {
    trouble: { losesBroadcasts: true },
    options: { isLossy: true },
    answers: { 200: 90, 400: 9, 404: 45 },
    alarms: { ErrorBudgetSlow: failing, RouteFaults: failing, UnknownBroadcasts: 'unknown-broadcasts' },
  },
  'one of two nodes is down': {
    trouble: { node: dead },
    options: { hasSecondNode: true },
    answers: { 200: 90, 201: 9, 404: 45 },
    alarms: { NodesOut: 'nodes-out' },
  },
  'the chain stands still': {
    trouble: { makesBlocks: false },
    // Slots of 180 s: the tip is 31 of them old in the twentieth round, and the alarm looks at two more.
    rounds: 22,
    answers: { 200: 217, 201: 22, 404: 110, 503: 3 },
    alarms: { TipAge: 'tip-age' },
  },
  'the chain stands still, and a balancer asks for the health every five seconds': {
    trouble: { makesBlocks: false },
    options: { healthChecks: 60 },
    rounds: 22,
    answers: { 200: 1357, 201: 22, 404: 110, 503: 183 },
    alarms: { TipAge: 'tip-age' },
  },
  'the chain of a stage without users stands still': {
    trouble: { makesBlocks: false },
    options: { isQuiet: true },
    rounds: 22,
    answers: { 200: 173, 404: 110, 503: 3 },
    alarms: { TipAge: 'tip-age' },
  },
  'the old chain stands still on the day of a hard fork': {
    trouble: { makesBlocks: false },
    options: { settings: beforeFork, healthChecks: 60 },
    rounds: 22,
    answers: { 200: 1357, 201: 22, 404: 110, 503: 183 },
    alarms: { PinStale: 'the-day-of-a-hard-fork', TipAge: 'tip-age' },
    // Until the new chain begins.
    stillRinging: ['PinStale'],
  },
  'the indexer is down': {
    trouble: { indexer: dead },
    answers: { 200: 72, 201: 9, 404: 27, 503: 36 },
    alarms: { IndexerFaults: 'indexer-faults' },
  },
  'the clock is a quarter of an hour behind': {
    trouble: { clockOffMs: -900_000 },
    answers: { 200: 81, 201: 9, 404: 45, 503: 9 },
    alarms: { ClockBehind: 'clock-behind' },
  },
  'the clock is a quarter of an hour behind, and a balancer asks for the health every five seconds': {
    trouble: { clockOffMs: -900_000 },
    options: { healthChecks: 60 },
    answers: { 200: 81, 201: 9, 404: 45, 503: 549 },
    alarms: { ClockBehind: 'clock-behind' },
  },
}

test.each(Object.entries(nights))('a night in which %s', async (_what, night) => {
  const { answers, alarms, rollsBack = [], stillRinging = [], options } = night
  const ended = { after: options?.isQuiet ? [200, 404] : [200, 201, 404], stillRinging }
  expect(await nightWith(night)).toEqual({ answers, alarms, rollsBack, ...ended })
})
