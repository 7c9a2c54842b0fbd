import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { projectRoot } from '../../../infra/project-root.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { settings } from '../../../infra/settings/settings.ts'
import { settingsTable } from '../../../infra/settings/table.ts'
import { hintsFor, obstaclesIn } from '../../../infra/settings/warnings.ts'
import { withPart } from '../../../tools/generate/generated-part.ts'
import { withOneNode } from './every-setting.ts'
import { minimalFile, read } from './read-settings.ts'

const node = 'https://node.example.org/graphql'
const { vpc } = withOneNode

const obstacles = (file: object) =>
  obstaclesIn(read({ ...minimalFile, ...file })).map(({ at, text }) => `${at}: ${text}`)
const alarmEmail = 'ops@explorer.net'
const hints = (file: object) =>
  hintsFor(read({ ...minimalFile, nodeGraphqlUrl: node, alarmEmail, ...file })).map(({ at, text }) => `${at}: ${text}`)

describe('an address with which a stage cannot work', () => {
  const itself = 'is loopback, which inside Lambda is the function itself; use a reachable address.'

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['node.localhost:3085', 'node.localhost'],
    ['0.0.0.0', '0.0.0.0'],
    ['[::1]', '[::1]'],
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ])('is the loopback %s, with a vpc too', (address, host) => {
    const nodeGraphqlUrl = `https://${address}/graphql`
    expect(obstacles({ nodeGraphqlUrl })).toEqual([`nodeGraphqlUrl: ${host} ${itself}`])
    expect(obstacles({ nodeGraphqlUrl, vpc })).toEqual([`nodeGraphqlUrl: ${host} ${itself}`])
  })

  const privateHosts =
    '10.0.0.7 172.31.255.1 192.168.1.1 100.64.0.1 169.254.169.254 [fd00::7] ip-10-0-0-7.ec2.internal node'
  test.each(privateHosts.split(' '))('is the private %s, without a vpc', (host) => {
    const text = `${host} is private, and there is no vpc: no function can reach it.`
    expect(obstacles({ nodeGraphqlUrl: `https://${host}/graphql` })).toEqual([`nodeGraphqlUrl: ${text}`])
    expect(obstacles({ nodeGraphqlUrl: `https://${host}/graphql`, vpc })).toEqual([])
  })

  test.each(['172.32.0.1', '192.0.2.1', '[2001:db8::1]', 'a.internal.org'])('is not %s', (host) => {
    expect(obstacles({ nodeGraphqlUrl: `https://${host}/graphql` })).toEqual([])
  })

  test('is reported by its host in each setting that holds one', () => {
    const nodes = [{ graphqlUrl: 'https://a.example/graphql?key=s3cret' }, { graphqlUrl: 'https://10.0.0.7/graphql' }]
    const indexerGraphqlUrl = 'https://localhost/graphql'
    expect(obstacles({ nodeGraphqlUrl: null, nodes, indexerGraphqlUrl })).toEqual([
      'nodes: a.example is still a placeholder: set it before you deploy.',
      'nodes: 10.0.0.7 is private, and there is no vpc: no function can reach it.',
      `indexerGraphqlUrl: localhost ${itself}`,
    ])
  })
})

describe('a hint', () => {
  const looksLikeKey = (at: string, name: string, better: string) =>
    `${at}: ${name} looks like a key. Plain headers can be read in the template and the functions' settings; with ${better} only a secret holds it.`
  const indexerGraphqlUrl = 'https://indexer.example.org/graphql'
  const privateUrl = 'http://10.0.0.7/graphql'
  const several = {
    nodeGraphqlUrl: null,
    nodes: [{ graphqlUrl: node }, { graphqlUrl: 'https://b.example.org/graphql' }],
  }
  const genesisStateHash = '3NKMm4LzpDEAp8ZqDdYxH5Hgd4Fb2fMR1cSz6mfJdwKeKjghCzWS'
  const mainnetOf2021 = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
  const nodeCredential = { header: 'x-api-key', secret: 'node-key' }
  const indexerCredential = { header: 'x-api-key', parameter: '/indexer-key' }
  const keyed = { nodeGraphqlUrl: null, nodes: [{ graphqlUrl: privateUrl, credential: indexerCredential }] }
  const endpoint = (store: string) =>
    `vpc: keys are read through a VPC endpoint com.amazonaws.us-east-1.${store} with private DNS, or through a NAT gateway. Without either, requests fail after a clean deployment.`

  test.each<[file: object, ...hints: string[]]>([
    ...['authorization', 'x-api-key', 'x-auth-token', 'cookie', 'client-secret', 'x-password'].map(
      (name): [object, string] => [
        { upstreamHeaders: { [name]: 's3cret', 'x-client': 'explorer' } },
        looksLikeKey('upstreamHeaders', name, 'nodeCredential'),
      ],
    ),
    [
      { indexerGraphqlUrl, indexerHeaders: { cookie: 's3cret' } },
      looksLikeKey('indexerHeaders', 'cookie', 'indexerCredential'),
    ],
    [
      { nodeGraphqlUrl: null, nodes: [{ graphqlUrl: node, headers: { cookie: 's3cret' } }] },
      looksLikeKey('nodes', 'cookie', "the node's credential"),
    ],
    [
      several,
      'genesisStateHash: is not set, and there are several nodes: while the first is down, one of another network would be used.',
    ],
    [{ ...several, genesisStateHash }],
    [{ ...several, genesisStateHash: [mainnetOf2021, genesisStateHash] }],
    [
      { ...several, genesisStateHash: mainnetOf2021 },
      'genesisStateHash: the last one is the genesis block of a chain that a hard fork has ended: mainnet until 2024-06-04. Upgraded nodes are not used; `npm run doctor -- --node URL` prints theirs.',
    ],
    [
      { chainId: 'ab'.repeat(32) },
      'chainId: only `doctor` looks at it without a genesisStateHash beside it: the service uses a node that names another.',
    ],
    [{ genesisStateHash, chainId: 'ab'.repeat(32) }],
    [
      { ipv6: true },
      'ipv6: a client with IPv6 escapes the limits per address: its network has an endless number of addresses.',
    ],
    [{ ipv6: true, firewall: { enabled: false } }],
    [{ alarmEmail: null }, 'alarmEmail: nobody receives alarms until someone subscribes to the topic of the stack.'],
    [{ alarmEmail: null, alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:alarms' }],
    [
      { alarmEmail: 'ops@example.org', ticketEmail: 'team@example.com' },
      'alarmEmail: example.org belongs to nobody, so nobody receives these e-mails.',
      'ticketEmail: example.com belongs to nobody, so nobody receives these e-mails.',
    ],
    [
      { nodeGraphqlUrl: 'https://node.explorer.net', indexerGraphqlUrl: 'https://indexer.explorer.net/?key=s3cret' },
      'nodeGraphqlUrl: node.explorer.net has no path, where a daemon and an indexer have theirs at /graphql.',
      'indexerGraphqlUrl: indexer.explorer.net has no path, where a daemon and an indexer have theirs at /graphql.',
    ],
    [{ alarmEmail: 'ops@notexample.org', ticketEmail: 'team@ops.explorer.net' }],
    [{ vpc, nodeGraphqlUrl: privateUrl }],
    [{ vpc, ...keyed }, endpoint('ssm')],
    [
      { vpc, nodeCredential, indexerGraphqlUrl, indexerCredential },
      endpoint('secretsmanager'),
      endpoint('ssm'),
      'vpc: node.example.org, indexer.example.org: needs a NAT gateway, unless the name has an address in the VPC.',
    ],
    [{ nodeCredential }],
  ])('is given on what is often a mistake: %j', (file, ...expected) => {
    expect(hints(file)).toEqual(expected)
  })

  test('is printed below the settings, without secrets', () => {
    const file = { ...minimalFile, alarmEmail, upstreamHeaders: { 'x-api-key': 's3cret' } }
    const { printed } = readStageSettings('dev', file, {}, {})
    expect(printed).toContain('\n\nDid you mean this?\n  upstreamHeaders: x-api-key looks like a key.')
    expect(printed).not.toContain('s3cret')
    expect(readStageSettings('dev', { ...minimalFile, alarmEmail }, {}, {}).printed).not.toContain('Did you mean this?')
  })
})

describe('the printed settings', () => {
  const file = {
    ...minimalFile,
    nodeGraphqlUrl: 'https://node.example/graphql?key=s3cret',
    upstreamHeaders: { 'x-client': 's3cret' },
    nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/node' },
  }
  const env = { EXPLORER_ALARM_EMAIL: 'ops@explorer.net' }
  const [title, ...lines] = readStageSettings('dev', file, { retainLogs: 'true' }, env).printed.split('\n')
  const withoutPadding = (line: string) => line.replaceAll(/ {2,}/g, '  ')
  const isDefault = (line: string) => line.endsWith('  (default)')

  test('have their origins, and secrets by name only', () => {
    expect([title, ...lines.filter((line) => !isDefault(line)).map(withoutPadding)]).toEqual([
      'Stage dev',
      '  network  "devnet"  (config/dev.ts)',
      '  nodeGraphqlUrl  "https://node.example/graphql?…"  (config/dev.ts)',
      '  upstreamHeaders  x-client with values not shown  (config/dev.ts)',
      '  nodeCredential.header  "x-api-key"  (config/dev.ts)',
      '  nodeCredential.secret  "chain-explorer/node"  (config/dev.ts)',
      '  alarmEmail  "ops@explorer.net"  (EXPLORER_ALARM_EMAIL)',
      '  retainLogs  "true"  (the CDK context)',
    ])
  })

  test('are complete: every setting, or its group where the stage leaves it out', () => {
    const printed = lines.map((line) => line.trim().split(' ')[0])
    const given = (group: string | undefined) => group === undefined || group === 'nodeCredential'
    const expected = [...settings.values()].map(({ key, optionalGroup }) =>
      given(optionalGroup) ? key : optionalGroup,
    )
    expect(new Set(printed)).toEqual(new Set(expected))
    expect(printed).toHaveLength(new Set(expected).size)
  })
})

const document = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8')

test('the table in docs/operations.md is current; if not, run npm run generate', () => {
  expect(withPart(document, 'settings', settingsTable())).toBe(document)
})

test.each([...settings.values()].filter(({ key }) => key !== 'lockedSupplyTable'))(
  'the setting $key accepts its own example',
  ({ schema, example }) => {
    expect(schema.safeParse(example)).toMatchObject({ success: true })
  },
)
