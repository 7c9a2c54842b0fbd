import { describe, expect, test } from '@jest/globals'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { hintsFor, obstaclesIn } from '../../../infra/settings/warnings.ts'
import { withOneNode } from './every-setting.ts'
import { minimalFile, read } from './read-settings.ts'

const node = 'https://node.example.org/graphql'
const { vpc } = withOneNode

const obstacles = (file: object) =>
  obstaclesIn(read({ ...minimalFile, ...file })).map(({ at, text }) => `${at}: ${text}`)
const alarmEmail = 'ops@example.org'
const hints = (file: object) =>
  hintsFor(read({ ...minimalFile, nodeGraphqlUrl: node, alarmEmail, ...file })).map(({ at, text }) => `${at}: ${text}`)

describe('an address with which a stage cannot work', () => {
  const itself = 'is the function itself: set an address that a function reaches.'

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
    '10.0.0.7 172.31.255.1 192.168.1.1 100.64.0.1 169.254.169.254 [fd00::7] ip-10-0-0-7.ec2.internal node.local node'
  test.each(privateHosts.split(' '))('is the private %s, without a vpc', (host) => {
    const nodeGraphqlUrl = `https://${host}/graphql`
    const text = `${host} is private, and there is no vpc: no function can reach it.`
    expect(obstacles({ nodeGraphqlUrl })).toEqual([`nodeGraphqlUrl: ${text}`])
    expect(obstacles({ nodeGraphqlUrl, vpc })).toEqual([])
  })

  test.each(['node.example.org', '172.32.0.1', '192.0.2.1', '[2001:db8::1]', 'a.internal.org'])('is not %s', (host) => {
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
  const looksLikeKey = (at: string, names: string, better: string) =>
    `${at}: ${names} looks like a key. Plain headers can be read in the template and the functions' settings; with ${better} only a secret holds it.`

  test.each(['authorization', 'x-api-key', 'X-Auth-Token', 'cookie', 'client-secret', 'x-password'])(
    'is given on a key in the plain header %s',
    (name) => {
      const shown = name.toLowerCase()
      expect(hints({ upstreamHeaders: { [name]: 's3cret', 'x-client': 'explorer' } })).toEqual([
        looksLikeKey('upstreamHeaders', shown, 'nodeCredential'),
      ])
      expect(
        hints({ indexerGraphqlUrl: 'https://indexer.example.org/graphql', indexerHeaders: { [name]: 's3cret' } }),
      ).toEqual([looksLikeKey('indexerHeaders', shown, 'indexerCredential')])
      expect(hints({ nodeGraphqlUrl: null, nodes: [{ graphqlUrl: node, headers: { [name]: 's3cret' } }] })).toEqual([
        looksLikeKey('nodes', shown, "the node's credential"),
      ])
    },
  )

  test('has a hint for several nodes without a pinned network', () => {
    const nodes = [{ graphqlUrl: node }, { graphqlUrl: 'https://other.example.org/graphql' }]
    const several = { nodeGraphqlUrl: null, nodes }
    const text =
      'is not set, and there are several nodes: while the first is down, one of another network would be used.'
    expect(hints(several)).toEqual([`genesisStateHash: ${text}`])
    const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    expect(hints({ ...several, genesisStateHash })).toEqual([])
    expect(hints({ nodeGraphqlUrl: null, nodes: nodes.slice(1) })).toEqual([])
  })

  test('is given on limits per address while there is IPv6', () => {
    const text = 'a client with IPv6 escapes the limits per address: its network has an endless number of addresses.'
    expect(hints({ ipv6: true })).toEqual([`ipv6: ${text}`])
    expect(hints({ ipv6: true, firewall: { enabled: false } })).toEqual([])
  })

  test('is given on alarms that nobody receives', () => {
    const text = 'nobody receives alarms until someone subscribes to the topic of the stack.'
    expect(hints({ alarmEmail: null })).toEqual([`alarmEmail: ${text}`])
    expect(hints({ alarmEmail: null, alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:alarms' })).toEqual([])
  })

  test('is given on the ways that keys and public upstreams need out of a vpc', () => {
    const endpoint = (store: string) =>
      `vpc: keys are read through a VPC endpoint com.amazonaws.us-east-1.${store} with private DNS, or through a NAT gateway. Without either, requests fail after a clean deployment.`
    const gateway = (hosts: string) => `vpc: ${hosts}: needs a NAT gateway, unless the name has an address in the VPC.`
    const [header, privateUrl] = ['x-api-key', 'http://10.0.0.7/graphql']
    const nodeCredential = { header, secret: 'node-key' }
    expect(hints({ vpc, nodeGraphqlUrl: privateUrl })).toEqual([])
    expect(hints({ vpc, nodeGraphqlUrl: privateUrl, nodeCredential })).toEqual([endpoint('secretsmanager')])
    expect(
      hints({
        vpc,
        nodeCredential,
        indexerGraphqlUrl: 'https://indexer.example.org/graphql',
        indexerCredential: { header, parameter: '/indexer-key' },
      }),
    ).toEqual([endpoint('secretsmanager'), endpoint('ssm'), gateway('node.example.org, indexer.example.org')])
    const credential = { header, parameter: '/node-key' }
    expect(hints({ vpc, nodeGraphqlUrl: null, nodes: [{ graphqlUrl: privateUrl, credential }] })).toEqual([
      endpoint('ssm'),
    ])
    expect(hints({ nodeCredential })).toEqual([])
  })

  test('is printed below the settings, without secrets', () => {
    const file = { ...minimalFile, alarmEmail, upstreamHeaders: { 'x-api-key': 's3cret' } }
    const { printed } = readStageSettings('dev', file, {}, {})
    expect(printed).toContain('\n\nDid you mean this?\n  upstreamHeaders: x-api-key looks like a key.')
    expect(printed).not.toContain('s3cret')
    expect(readStageSettings('dev', { ...minimalFile, alarmEmail }, {}, {}).printed).not.toContain('Did you mean this?')
  })
})
