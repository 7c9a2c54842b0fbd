// A release beside the one before it and the one after it. CloudFormation adds, raises and lowers in an order of its own, and
// deletes last, so each order has to fit into the account.
import { describe, expect, test } from '@jest/globals'
import mainnetFile from '../../config/mainnet.ts'
import { readsWithin } from '../../infra/settings/concurrency.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { misfitOf, peakOf, type Reservations, reservationsIn } from '../../tools/deploy/reservations.ts'
import { read } from './settings/read-settings.ts'
import { templateOf } from './stack-template.ts'

/** Of an account of 1,000, less the 100 that AWS keeps unreserved. */
const maxReserved = 900

const sumOf = (reservations: Reservations): number =>
  Object.values(reservations).reduce((sum, { executions }) => sum + executions, 0)

/**
 * The greatest sum that any order of an update passes: each change of a function is made or not yet made, at any moment, and
 * what goes is there until the end. A rollback and a second attempt pass the same states.
 */
function greatestOfAllOrders(before: Reservations, after: Reservations): number {
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const change = (after[name]?.executions ?? 0) - (before[name]?.executions ?? 0)
    return name in after && change !== 0 ? [change] : []
  })
  const sums = new Int32Array(2 ** changes.length)
  sums[0] = sumOf(before)
  for (let made = 1; made < sums.length; made += 1) {
    const last = 31 - Math.clz32(made)
    sums[made] = (sums[made - 2 ** last] ?? 0) + (changes[last] ?? 0)
  }
  return sums.reduce((greatest, sum) => Math.max(greatest, sum), 0)
}

/** The functions of each kind; the docs page reserves as a read does. */
const namesOf = (method: 'GET' | 'POST'): readonly string[] =>
  endpoints.filter((endpoint) => endpoint.method === method).map(({ name }) => name)
const [reads, posts] = [[...namesOf('GET'), 'docs'], namesOf('POST')]

function reserved(
  ofReads: readonly string[],
  of: { readonly reads: number; readonly broadcasts: number },
): Reservations {
  return Object.fromEntries([
    ...ofReads.map((name) => [name, { isRead: true, executions: of.reads }] as const),
    ...posts.map((name) => [name, { isRead: false, executions: of.broadcasts }] as const),
  ])
}

const { reads: readsOfMainnet, broadcasts } = mainnetFile.reservedConcurrency

/** What `config/mainnet.ts` reserves for these reads. */
function ofMainnet(ofReads: readonly string[]): Reservations {
  const shares = { accountConcurrency: 1000, broadcasts, maxReads: readsOfMainnet }
  const counts = { reads: ofReads.length, broadcasts: posts.length }
  return reserved(ofReads, { reads: readsWithin(shares, counts), broadcasts })
}

/** The most for each of so many reads, beside what mainnet reserves for broadcasts. */
const eachRead = (count: number, executions: number): number =>
  Math.floor((executions - posts.length * broadcasts) / count)

const thisRelease = ofMainnet(reads)

const neighbours = Object.entries({
  'a release with an endpoint less, which left room for no more than that one': reserved(reads.slice(1), {
    reads: eachRead(reads.length - 1, maxReserved - readsOfMainnet),
    broadcasts,
  }),
  'a release with an endpoint less': ofMainnet(reads.slice(1)),
  'a release with an endpoint more': ofMainnet([...reads, 'getOneMore']),
  'a release with two endpoints more': ofMainnet([...reads, 'getOneMore', 'getAnother']),
})

test('mainnet reserves what these tests play, and keeps the share of one read free', async () => {
  const template = (await templateOf(read(mainnetFile))).toJSON()
  const values = (reservations: Reservations) =>
    Object.values(reservations)
      .map(({ isRead, executions }) => `${isRead} ${executions}`)
      .toSorted()
  expect(values(reservationsIn(template))).toEqual(values(thisRelease))
  expect(readsOfMainnet).toBe(40)
  expect(sumOf(thisRelease) + readsOfMainnet).toBeLessThanOrEqual(maxReserved)
})

describe.each(neighbours)('%s', (_name, neighbour) => {
  test.each([
    ['an update to this release', neighbour, thisRelease],
    ['the way back from this release', thisRelease, neighbour],
  ])('%s fits into the account in every order', (_way, before, after) => {
    expect(greatestOfAllOrders(before, after)).toBeLessThanOrEqual(maxReserved)
    expect(peakOf(before, after)).toBe(greatestOfAllOrders(before, after))
    expect(misfitOf(before, after, 1000 - sumOf(before), '0123456789ab')).toBeUndefined()
  })
})

describe('two settings of one release that fit alone and not beside each other', () => {
  const [manyReads, manyBroadcasts] = [
    reserved(reads, { reads: eachRead(reads.length, maxReserved), broadcasts }),
    reserved(reads, { reads: 30, broadcasts: Math.floor((maxReserved - 30 * reads.length) / posts.length) }),
  ]

  test.each([
    ['more for broadcasts', manyReads, manyBroadcasts, 'the running release, 0123456789ab,', 40],
    ['more for reads', manyBroadcasts, manyReads, 'this release', 40],
  ])('are refused with a step between that fits in every order: %s', (_case, before, after, which, broadcasts) => {
    const step = reserved(reads, { reads: 30, broadcasts })
    expect(greatestOfAllOrders(before, step)).toBeLessThanOrEqual(maxReserved)
    expect(greatestOfAllOrders(step, after)).toBeLessThanOrEqual(maxReserved)
    const peak = greatestOfAllOrders(before, after)
    expect(peak).toBeGreaterThan(maxReserved)
    expect(peakOf(before, after)).toBe(peak)
    expect(misfitOf(before, after, 1000 - sumOf(before), '0123456789ab')).toBe(
      `CloudFormation adds and raises before it deletes, so ${peak} executions would be reserved on the way, there or back, and the account has room for 900: first deploy ${which} with -c reservedConcurrency.reads=30`,
    )
  })
})
