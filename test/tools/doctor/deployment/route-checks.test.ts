import { describe, expect, test } from '@jest/globals'
import { message } from '../../../../shared/contract/error.ts'
import type { Probe } from '../../../../tools/doctor/deployment/probe.ts'
import { type Promised, routeFinding } from '../../../../tools/doctor/deployment/route-checks.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'

const caching = 'public, max-age=5, stale-if-error=0'
const promised: Promised = { status: 404, schema: message, message: 'No such thing.', caching: [caching] }

function answer(changes: { status?: number; text?: string; headers?: Record<string, string> } = {}): Probe {
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=5, stale-if-error=0' }
  const text = '{"message":"No such thing."}'
  return { status: 404, text, tookMs: 21, ...changes, headers: { ...headers, ...changes.headers } }
}

const lineFor = (probe: Probe, promise = promised) => lineOf(routeFinding('GET /x', probe, promise))

const rewritten = 'deploy the latest version, and check that nothing between it and here rewrites answers'

describe('an answer', () => {
  test('as promised is reported with its time and its cache-control', () => {
    expect(lineFor(answer())).toBe('ok   GET /x: answers 404 in 21 ms (public, max-age=5, stale-if-error=0)')
  })

  test('that is missing gets a remedy', () => {
    expect(lineFor({ failure: 'fetch failed' })).toBe(
      'fail GET /x: fetch failed -> check the address, and that the stack is deployed there; on this machine, that npm start is running',
    )
  })

  test.each([
    [
      403,
      'use the address of the CDN, because the origin lock refuses all others; at that address, the firewall blocks you',
    ],
    [301, 'use the address that this one redirects to: a POST does not follow redirects'],
    [429, 'wait a minute: the firewall or a throttle limits this machine'],
    [502, 'examine its node: npm run doctor -- --stage X, from a network that reaches it'],
    [500, 'read the log of the function that serves this route'],
  ])('of another status, %i, gets a remedy for it', (status, remedy) => {
    expect(lineFor(answer({ status, text: '{"message":"no"}' }))).toBe(
      `fail GET /x: answers ${status} instead of 404: {"message":"no"} -> ${remedy}`,
    )
  })

  test('of 404 instead of 200 points to the address', () => {
    expect(lineFor(answer(), { ...promised, status: 200 })).toBe(
      'fail GET /x: answers 404 instead of 200: {"message":"No such thing."} -> check that the base address has no path, and that the latest stack is deployed there',
    )
  })

  test.each([
    ['<html>', 'its body is not JSON'],
    ['{"error":"no"}', "its body violates the contract: data must have required property 'message'"],
    ['{"message":"Other."}', 'its message is "Other.", not "No such thing."'],
  ])('whose body is %s violates the contract', (text, fault) => {
    expect(lineFor(answer({ text }))).toBe(`fail GET /x: answers 404, but ${fault} -> ${rewritten}`)
  })

  test.each(['no-store', 'public, max-age=6, stale-if-error=0', 'private, max-age=5', 'public, max-age=5'])(
    'with cache-control %s, which the endpoint never gives, is wrong',
    (cacheControl) => {
      const given = answer({ headers: { 'cache-control': cacheControl } })
      const either = { ...promised, caching: [caching, 'public, max-age=1'] }
      expect(lineFor(given, either)).toBe(
        `fail GET /x: answers 404, but its cache-control is ${cacheControl}, not ${caching} or public, max-age=1 -> ${rewritten}`,
      )
    },
  )

  test('has all its faults in one line', () => {
    const given = answer({ headers: { 'content-type': 'text/html', 'x-broadcast-code': 'other' } })
    expect(lineFor(given, { ...promised, headers: { 'x-broadcast-code': 'invalid-request', 'x-b': '1' } })).toBe(
      `fail GET /x: answers 404, but its content-type is text/html, not application/json; its x-broadcast-code is other, not invalid-request; its x-b is missing, not 1 -> ${rewritten}`,
    )
  })

  test('without the fields of the indexer is a warning', () => {
    expect(lineFor(answer({ headers: { 'x-missing-fields': 'totalTx,username' } }))).toBe(
      'warn GET /x: answers 404 in 21 ms (public, max-age=5, stale-if-error=0) without totalTx,username -> examine the indexer: npm run doctor -- --stage X',
    )
  })
})
