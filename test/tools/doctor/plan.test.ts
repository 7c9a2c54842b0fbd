import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { lineOf } from '../../../tools/doctor/finding.ts'
import { unreadKeyFinding } from '../../../tools/doctor/plan/header-options.ts'
import { readPlan, usage } from '../../../tools/doctor/plan/plan.ts'
import { temporaryFolder } from '../../serving.ts'

const nodeUrl = 'http://127.0.0.1:3085/graphql'
const chainId = 'a7'.repeat(32)
const node = { url: nodeUrl, headers: {}, timeoutMs: 8000 }
const indexer = { url: 'https://indexer.example/graphql', headers: {}, timeoutMs: 1500, slowTimeoutMs: 8000 }

const bare = { nodeGraphqlUrl: nodeUrl, indexerGraphqlUrl: null }
const exporting = (stage: object) => `const stage: object = ${JSON.stringify(stage)}\nexport default stage\n`
const stageFiles = {
  'bare.ts': exporting(bare),
  'keyed.ts': exporting({
    ...bare,
    upstreamHeaders: { 'x-plan': 'gold', 'x-other': 'stage' },
    nodeCredential: { header: 'X-Api-Key', secret: 'node-key' },
    indexerGraphqlUrl: indexer.url,
    indexerCredential: { header: 'authorization', parameter: '/indexer/key' },
  }),
  'many.ts': exporting({
    nodes: [
      { graphqlUrl: nodeUrl, credential: { header: 'x-api-key', secret: 'key' } },
      { graphqlUrl: 'https://b.example/graphql' },
    ],
  }),
  'none.ts': 'export const other = 1\n',
  'odd.ts': exporting({ nodeGraphqlUrl: [] }),
  'slow.ts': exporting({ ...bare, upstreamTimeoutMs: '8s' }),
  'test.ts': exporting({
    network: 'devnet',
    chainId,
    nodeGraphqlUrl: nodeUrl,
    upstreamTimeoutMs: 5000,
    indexerGraphqlUrl: indexer.url,
    indexerTimeoutMs: 700,
    lockedSupplyTable: '',
  }),
  'torn.ts': "throw new Error('a typing mistake')\n",
  'No_Stage.ts': 'export default {}\n',
}

const folder = temporaryFolder()
for (const [name, text] of Object.entries(stageFiles)) writeFileSync(join(folder, name), text)

const plan = (args: string | readonly string[], env: Readonly<Record<string, string>> = {}) =>
  readPlan(typeof args === 'string' ? args.split(' ').filter(Boolean) : args, env, folder)
const nothingElse = { expected: {}, unreadKeys: [], secrets: [] }

/** The refusals of these command lines. */
const refusalsOf = async (lines: readonly string[]) =>
  Object.fromEntries(
    await Promise.all(lines.map(async (line) => [line, await plan(line).catch((error: Error) => error.message)])),
  )

describe('the command line of the doctor', () => {
  test('gives addresses, expectations and keys', async () => {
    const args = [
      ...['--node', nodeUrl, '--header', 'x-api-key: one', '--header', 'X-Other: a: b', '--network', 'mainnet'],
      ...['--indexer', indexer.url, '--indexer-header', 'authorization: Bearer two', '--chain-id', chainId],
      ...['--url', 'https://explorer.example/'],
    ]
    expect(await plan(args)).toEqual({
      ...nothingElse,
      settings: {
        node: { ...node, headers: { 'x-api-key': 'one', 'x-other': 'a: b' } },
        indexers: [{ ...indexer, headers: { authorization: 'Bearer two' } }],
      },
      expected: { network: 'mainnet', chainIds: [chainId] },
      url: 'https://explorer.example',
      secrets: ['one', 'a: b', 'Bearer two'],
    })
  })

  test('may name the file that holds a key, or leave keys to the environment', async () => {
    const settings = { node: { ...node, headers: { 'x-api-key': 'one' } }, indexers: [] }
    const keyFile = join(folder, 'key')
    const args = `--node ${nodeUrl} --header x-api-key:file://${keyFile}`
    writeFileSync(keyFile, 'one\n')
    expect(await plan(args)).toEqual({ ...nothingElse, settings, secrets: ['one'] })
    writeFileSync(keyFile, '\n')
    await expect(plan(args)).rejects.toThrow(new Error(`--header: the file ${keyFile} is empty`))
    const env = { UPSTREAM_HEADERS: '{"x-api-key":"one"}', NODE_GRAPHQL_URL: 'http://other.example' }
    expect(await plan(`--node ${nodeUrl}`, env)).toEqual({ ...nothingElse, settings, secrets: ['one'] })
  })

  test('without options examines what the variables of npm start name, and with options does not', async () => {
    const nodes = JSON.stringify([{ graphqlUrl: nodeUrl, headers: { 'x-api-key': 'one' } }])
    const listed = { NODES: nodes, NODE_GRAPHQL_URL: '', INDEXER_GRAPHQL_URL: indexer.url }
    const { settings, secrets } = await plan('', listed)
    expect([settings?.nodes?.map(({ url, headers }) => [url, headers]), settings?.indexers, secrets]).toEqual([
      [[nodeUrl, { 'x-api-key': 'one' }]],
      [indexer],
      expect.arrayContaining(['one']),
    ])
    expect(await plan('--header x-api-key:two', { NODE_GRAPHQL_URL: nodeUrl })).toEqual({
      ...nothingElse,
      settings: { node: { ...node, headers: { 'x-api-key': 'two' } }, indexers: [] },
      secrets: ['two'],
    })
    // As `npm start`, which uses no node of another chain.
    expect((await plan('', { ...listed, CHAIN_ID: chainId })).expected).toEqual({ chainIds: [chainId] })
    await expect(plan('', { ...listed, CHAIN_ID: 'a7' })).rejects.toThrow(/^--chain-id, chainId or CHAIN_ID: wanted 64/)
    expect((await plan(`--node ${nodeUrl}`, { CHAIN_ID: chainId })).expected).toEqual({})
    await expect(plan('--header x-api-key:two', listed)).rejects.toThrow(/^--header: .* give all keys in NODES$/)
    await expect(plan('', { NODES: '[' })).rejects.toThrow(/^Settings are wrong\.\nnodes: /)
    const url = 'https://explorer.example'
    expect(await plan(`--url ${url}`, listed)).toEqual({ ...nothingElse, url })
    expect((await plan('--stage bare', listed)).settings).toEqual({ node, indexers: [] })
  })

  test('is refused with its reason, and no key is quoted', async () => {
    const wantedUrl = '--url: wanted a base address such as https://explorer.example or http://127.0.0.1:8080'
    const wantedUpstream =
      'wanted an http or https address such as http://127.0.0.1:3085/graphql, without user name and password'
    const refusals = {
      '': 'Nothing to examine: pass --stage, --node or --url, or set NODES or NODE_GRAPHQL_URL',
      '--indexer http://a': '--indexer: pass --node, too: the doctor compares the two',
      '--url ftp://a': wantedUrl,
      '--url http://a?b': wantedUrl,
      '--node http://a --network berkeley': '--network or network: wanted mainnet or devnet, got "berkeley"',
      '--node http://a --chain-id a7': '--chain-id, chainId or CHAIN_ID: wanted 64 hexadecimal digits, got "a7"',
      '--node http://a --header s3cret':
        "--header: wanted 'name: value', or 'name: file://path' for the text of a file",
      '--node http://a --indexer http://b --indexer-header x-api-key:file:///nowhere/key':
        '--indexer-header: there is no file to read at /nowhere/key',
      '--node nowhere --indexer ftp://a': `Settings are wrong.\n--node or nodeGraphqlUrl: ${wantedUpstream}, got "nowhere"\n--indexer or indexerGraphqlUrl: ${wantedUpstream}, got "ftp://a"`,
    }
    expect(await refusalsOf(Object.keys(refusals))).toEqual(refusals)
  })
})

describe('a stage', () => {
  test('gives its settings, and the limits of its time-outs', async () => {
    expect(await plan('--stage test')).toEqual({
      ...nothingElse,
      settings: { node: { ...node, timeoutMs: 5000 }, indexers: [{ ...indexer, timeoutMs: 700 }] },
      expected: { network: 'devnet', chainIds: [chainId] },
    })
    expect(await plan('--stage bare')).toEqual({ ...nothingElse, settings: { node, indexers: [] } })
  })

  test('warns of its keys that are in AWS', async () => {
    const { settings, unreadKeys } = await plan('--stage keyed')
    expect({ headers: settings?.node.headers, lines: unreadKeys.map(unreadKeyFinding).map(lineOf) }).toEqual({
      headers: { 'x-plan': 'gold', 'x-other': 'stage' },
      lines: [
        `warn node key: the stage sends X-Api-Key from secret node-key, which the doctor does not read -> put it into a file and pass that: --header "X-Api-Key: file://$HOME/key"`,
        `warn indexer key: the stage sends authorization from parameter /indexer/key, which the doctor does not read -> put it into a file and pass that: --indexer-header "authorization: file://$HOME/key"`,
      ],
    })
  })

  test('with several nodes has the key of one only where that is examined alone', async () => {
    const { unreadKeys } = await plan('--stage many')
    expect(unreadKeys.map(unreadKeyFinding).map(lineOf)).toEqual([
      `warn node key: the stage sends x-api-key from secret key for 127.0.0.1:3085, which the doctor does not read -> put it into a file and examine this node alone: --node URL --header "x-api-key: file://$HOME/key", or all nodes together: EXPLORER_NODES, as --help says`,
    ])
    const [, listed = ''] = /^EXPLORER_NODES='(.*), …\]' npm run doctor -- --stage X$/m.exec(usage) ?? []
    const EXPLORER_NODES = `${listed.replace(`'"$(cat ~/key-1)"'`, 'one').replace('…', 'a.example')},{"graphqlUrl":"https://b.example"}]`
    const together = await plan('--stage many', { EXPLORER_NODES })
    expect([together.unreadKeys, together.settings?.nodes?.map(({ url, headers }) => [url, headers])]).toEqual([
      [],
      [
        ['https://a.example/', { 'x-api-key': 'one' }],
        ['https://b.example/', {}],
      ],
    ])
    const { settings } = await plan(`--stage many --node ${nodeUrl} --header x-api-key:one`)
    expect(settings).toEqual({ node: { ...node, headers: { 'x-api-key': 'one' } }, indexers: [] })
  })

  test('is overridden by the environment, which is overridden by the command line', async () => {
    const env = {
      EXPLORER_NODE_GRAPHQL_URL: 'http://env.example/graphql',
      EXPLORER_CHAIN_ID: 'b8'.repeat(32),
      UPSTREAM_HEADERS: '{"X-Other":"environment","x-third":"3"}',
      INDEXER_HEADERS: '{"authorization":"two"}',
    }
    const { settings, expected, unreadKeys } = await plan(
      `--stage keyed --chain-id ${chainId} --header x-api-key:one`,
      env,
    )
    expect({ url: settings?.node.url, expected }).toEqual({
      url: 'http://env.example/graphql',
      expected: { chainIds: [chainId] },
    })
    expect([settings?.node.headers, settings?.indexers[0]?.headers, unreadKeys]).toEqual([
      { 'x-plan': 'gold', 'x-other': 'environment', 'x-third': '3', 'x-api-key': 'one' },
      { authorization: 'two' },
      [],
    ])
    const one = await plan('--stage many', { EXPLORER_NODE_GRAPHQL_URL: nodeUrl })
    expect([one.settings, one.unreadKeys]).toEqual([{ node, indexers: [] }, []])
    await expect(plan('--stage keyed', { UPSTREAM_HEADERS: 's3cret' })).rejects.toThrow(
      /^Settings are wrong\.\nUPSTREAM_HEADERS: wanted a JSON object [^\n]+, got something else$/,
    )
  })

  test('is refused with its reason', async () => {
    const stages = 'the stages are bare, keyed, many, none, odd, slow, test, torn'
    const refusals = {
      '--stage prod': `--stage: there is no config/prod.ts; ${stages}`,
      '--stage ../test': `--stage: there is no config/../test.ts; ${stages}`,
      '--stage odd':
        'Settings are wrong.\n--node or nodeGraphqlUrl: wanted an http or https address such as http://127.0.0.1:3085/graphql, without user name and password, got "[]"',
      '--stage none': 'config/none.ts: its default export is not an object',
      '--stage torn': 'config/torn.ts:1: Error: a typing mistake',
      '--stage slow':
        'Settings are wrong.\nupstreamTimeoutMs: wanted milliseconds: a whole number from 1 to 20000, got "8s"',
      '--stage many --header x-api-key:one':
        '--header: there are several nodes; pass --node, too: the one that takes the key, or give all keys in EXPLORER_NODES',
    }
    expect(await refusalsOf(Object.keys(refusals))).toEqual(refusals)
    await expect(readPlan(['--stage', 'test'], {}, join(folder, 'nowhere'))).rejects.toThrow(
      new Error('--stage: there is no config/test.ts; there are no stages'),
    )
  })
})
