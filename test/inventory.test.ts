// The list of endpoints and the files that belong to it. Statuses, tags and cache times are in openapi.json, which a
// change must change too.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { contracts, endpoints } from '../shared/endpoints/all.ts'
import { fileNameOf } from '../shared/http/routes.ts'

const root = join(import.meta.dirname, '..')
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

/** Beside the endpoints: what they are, what two of them share, the docs page and the heartbeat of broadcasts. */
const others = [
  'all.ts',
  'endpoint.ts',
  'block-answer.ts',
  'broadcast-endpoint.ts',
  'no-account.ts',
  'docs.ts',
  'broadcast-heartbeat.ts',
]

test.each(['shared/contract/endpoints', 'shared/endpoints', 'functions'])(
  '%s has a file for each endpoint of the list, under its name, and no other',
  (folder) => {
    const names = endpoints.map(({ name }) => `${fileNameOf(name)}.ts`).sort()
    expect(filesIn(folder).filter((file) => !others.includes(file))).toEqual(names)
  },
)

test('each endpoint answers a success, and each GET the four failures that an upstream can cause', () => {
  const lacking = endpoints.flatMap(({ name, method }) => {
    const promised = method === 'GET' ? [200, 500, 502, 503, 504] : [201, 400]
    return promised.filter((status) => contracts[name].responses[status] === undefined).map((status) => [name, status])
  })
  expect(lacking).toEqual([])
})
