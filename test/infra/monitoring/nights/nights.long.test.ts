// The table of nights: each trouble of an upstream, what readers get, which alarms ring with which page of the runbook, and
// that all end after the repair.
import type { RequestListener } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import { templateOf } from '../../stack-template.ts'
import { everyUpstream } from '../../stage-settings.ts'
import { ringingAlarms } from './alarm-states.ts'
import { createRehearsal, type RehearsalOptions, type Trouble, well } from './rehearsal.ts'

const template = await templateOf(everyUpstream)

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

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

async function nightWith({ trouble, options, rounds = troubledRounds }: Night) {
  const service = await createRehearsal(options)
  const before = await service.round()
  expect(ringingAlarms(template, service, service.now())).toEqual([])
  Object.assign(service, trouble)
  const changed: Record<string, Record<number, number>> = {}
  const rung = new Map<string, string>()
  const rollsBack = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const [index, { route, status }] of (await service.round()).entries()) {
      if (status === before[index]?.status) continue
      changed[route] ??= {}
      changed[route][status] = (changed[route][status] ?? 0) + 1
    }
    for (const alarm of ringingAlarms(template, service, service.now())) {
      rung.set(alarm.name, alarm.section)
      if (alarm.rollsBack) rollsBack.add(alarm.name)
    }
  }
  Object.assign(service, well)
  const after = await service.round()
  for (let round = 1; round < restRounds; round++) await service.quietRound()
  return {
    asked: countsOf(before.map(({ route }) => route)),
    changed,
    alarms: Object.fromEntries(rung),
    rollsBack: [...rollsBack],
    isAfterAsBefore: isDeepStrictEqual(after, before),
    stillRinging: ringingAlarms(template, service, service.now()).map(({ name }) => name),
  }
}

const failing = 'failing-requests'

/** The page below the oldest block that the node holds. */
const belowOldest: RehearsalOptions['alsoAsked'] = (chain) => {
  const { height, stateHash } = chain.frontier()[0] ?? chain.tip()
  return { route: 'GET /blocks/before/{cursor}', path: `/blocks/before/${height}-${stateHash}` }
}

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
  /** How many answers of a route have another status than before, by that status. */
  readonly changed: Readonly<Record<string, Readonly<Record<number, number>>>>
  /** The other status of every route that is not named. */
  readonly others?: number
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
    changed: { 'GET /health': { 503: 9 }, 'POST /broadcast/transaction': { 400: 9 } },
    others: 502,
    alarms: allFails,
  },
  'the node is bootstrapping': {
    trouble: { node: bootstrapping },
    changed: { 'POST /broadcast/transaction': { 400: 9 } },
    others: 503,
    alarms: allFails,
  },
  'the node refuses the key': {
    trouble: { node: answering(401) },
    changed: { 'GET /health': { 503: 9 }, 'POST /broadcast/transaction': { 400: 9 } },
    others: 502,
    alarms: allFails,
  },
  'no broadcast reaches the node': {
    trouble: { losesBroadcasts: true },
    options: { isLossy: true },
    changed: { 'POST /broadcast/transaction': { 400: 9 } },
    alarms: { ErrorBudgetSlow: failing, RouteFaults: failing, UnknownBroadcasts: 'unknown-broadcasts' },
  },
  'one of two nodes is down': {
    trouble: { node: dead },
    options: { hasSecondNode: true },
    changed: {},
    alarms: { NodesOut: 'nodes-out' },
  },
  'the spare one of two nodes stands still': {
    trouble: { secondStandsStill: true },
    options: { hasSecondNode: true },
    changed: {},
    alarms: { NodeLag: 'nodes-out' },
  },
  'the only node shows no new block for a little over twenty slots': {
    trouble: { makesBlocks: false },
    rounds: 14,
    changed: {},
    alarms: { TipOld: 'tip-age' },
  },
  'the chain of a stage without users stands still': {
    trouble: { makesBlocks: false },
    options: { isQuiet: true },
    // Slots of 180 s: the tip is 31 of them old in the twentieth round, and the alarm looks at two more.
    rounds: 22,
    changed: { 'GET /health': { 503: 3 } },
    alarms: { TipAge: 'tip-age', TipOld: 'tip-age' },
  },
  'the old chain stands still on the day of a hard fork, and a balancer asks for the health every five seconds': {
    trouble: { makesBlocks: false },
    options: { settings: beforeFork, healthChecks: 60 },
    rounds: 22,
    changed: { 'GET /health': { 503: 183 } },
    alarms: { PinStale: 'the-day-of-a-hard-fork', TipAge: 'tip-age', TipOld: 'tip-age' },
    // Until the new chain begins.
    stillRinging: ['PinStale'],
  },
  'the indexer is down': {
    trouble: { indexer: dead },
    changed: {
      'GET /accounts/{public_key}/transactions': { 503: 9 },
      'GET /blocks/{state_hash}': { 503: 18 },
      'GET /transactions/{hash}': { 503: 9 },
    },
    alarms: { IndexerFaults: 'indexer-faults' },
  },
  'the indexer is twelve blocks behind, all of which the node holds': {
    trouble: { indexerLags: true },
    options: { frontierBlocks: 40 },
    changed: { 'GET /transactions/{hash}': { 503: 9 } },
    alarms: { IndexerFaults: 'indexer-faults', IndexerLag: 'indexer-faults' },
  },
  'the throttle of one route refuses most of its calls, and few of all calls': {
    trouble: { refused: { route: 'GET /transactions/{hash}', count: 2 } },
    options: { healthChecks: 60 },
    changed: {},
    alarms: { RouteRefusals: 'throttled-requests' },
  },
  'the throttle of one route refuses half of its calls': {
    trouble: { refused: { route: 'GET /transactions/{hash}', count: 1 } },
    changed: {},
    alarms: {},
  },
  'somebody asks a stage without an indexer below the oldest block of its node': {
    trouble: {},
    options: { hasIndexer: false, alsoAsked: belowOldest },
    changed: {},
    alarms: {},
  },
  'the clock is a quarter of an hour behind': {
    trouble: { clockOffMs: -900_000 },
    changed: { 'GET /health': { 503: 9 } },
    alarms: { ClockBehind: 'clock-behind' },
  },
  'the clock is a quarter of an hour behind, and a balancer asks for the health every five seconds': {
    trouble: { clockOffMs: -900_000 },
    options: { healthChecks: 60 },
    changed: { 'GET /health': { 503: 549 } },
    alarms: { ClockBehind: 'clock-behind' },
  },
}

test.each(Object.entries(nights))('a night in which %s', async (_what, night) => {
  const { changed, others, alarms, rollsBack = [], stillRinging = [], rounds = troubledRounds } = night
  const { asked, ...found } = await nightWith(night)
  const ofOthers =
    others === undefined ? [] : Object.entries(asked).map(([route, count]) => [route, { [others]: count * rounds }])
  expect(found).toEqual({
    changed: { ...Object.fromEntries(ofOthers), ...changed },
    alarms,
    rollsBack,
    stillRinging,
    isAfterAsBefore: true,
  })
})
