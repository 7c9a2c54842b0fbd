// One message reports every mistake, of whatever kind, and holds no secret.
import { describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, whole } from './read-settings.ts'

const badNumber = `config/dev.ts: throttles.reads.rate
  got      "many"
  wants    requests a second in the long run, for each GET route: a whole number from 1 to 10000
  example  throttles: { reads: { rate: 100 } }
  or       EXPLORER_THROTTLES_READS_RATE=100`

const unknownKey = `config/dev.ts: nodeCredential.sekret
  got      an unknown key
  wants    a setting; the nearest is nodeCredential.secret
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key`

const conflict = `config/dev.ts: nodeCredential.secret
  got      nothing, but neither a secret nor a parameter is named
  wants    either a secret or a parameter that holds the text of the header
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key`

describe('one message', () => {
  test('reports a wrong value, an unknown key and a conflict of one file together', () => {
    const nodeCredential = { header: 'x-api-key', sekret: 's3cret' }
    expect(messageOf({ ...leastFile, throttles: { reads: { rate: 'many' } }, nodeCredential })).toBe(
      whole(unknownKey, badNumber, conflict),
    )
  })

  test('reports the mistakes of the file, the environment and the context together', () => {
    const message = messageOf(
      { network: 'testnet', vpc: 'vpc-1' },
      { EXPLORER_REGION: 'Virginia', EXPLORER_RATE: '1' },
      { logRetentionDays: '2', retainlogs: 'true' },
    )
    expect(message.split('\n').filter((line) => /^\S+.*: \S+$/.test(line))).toEqual([
      'config/dev.ts: vpc',
      'the environment: EXPLORER_RATE',
      'the CDK context: retainlogs',
      'EXPLORER_REGION: region',
      'config/dev.ts: network',
      'the CDK context: logRetentionDays',
      'config/dev.ts: nodeGraphqlUrl',
    ])
  })
})

describe('no message holds a secret', () => {
  const secret = 's3cret!'
  const shapes = [secret, [secret], { value: secret }, { header: secret }, [{ secret }]]
  const places = [
    (value: unknown) => ({ nodeCredential: value }),
    (value: unknown) => ({ nodeCredential: { header: 'x-api-key', secret: value } }),
    (value: unknown) => ({ nodeCredential: { header: 'x-api-key', secret: 'explorer/node', parameter: value } }),
    (value: unknown) => ({ indexerCredential: { header: 'authorization', parameter: value } }),
    (value: unknown) => ({ upstreamHeaders: value }),
    (value: unknown) => ({ indexerHeaders: { 'x-client': value } }),
    (value: unknown) => ({ nodeGraphqlUrl: typeof value === 'string' ? `https://user:${value}@node.example` : value }),
    (value: unknown) => ({ indexerGraphqlUrl: typeof value === 'string' ? `ftp://a.example/?key=${value}` : value }),
  ]

  test.each(places.flatMap((place) => shapes.map((shape) => place(shape))))('%j', (given) => {
    // Some of these headers are valid, so a second mistake makes sure that there is a message.
    expect(messageOf({ ...leastFile, retainLogs: 'maybe', ...given })).not.toContain(secret)
  })
})
