import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { greeting } from '../../../local/start/greeting.ts'
import type { Operation } from '../../../local/start/live-examples.ts'
import { lookAtNodes } from '../../../local/start/node-troubles.ts'
import type { ServiceOptions } from '../../../local/start/service.ts'
import { type KnownChain, knownChains } from '../../../shared/deployment/networks.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { docsPolicy } from '../../../shared/http/docs-page.ts'
import { sizeOfDocument } from '../../../tools/generate/upstream-pages.ts'
import { serve, unservedUrl } from '../../serving.ts'
import { constantsWire, firstGenesisWire, tipReplyAt } from '../../shared/mapping/node-wire.ts'
import { service } from './held-service.ts'

const inFrontOf = (NODE_GRAPHQL_URL: string, options?: ServiceOptions) =>
  service({ ...options, environment: { NODE_GRAPHQL_URL } })

const linesToPaste = (printed: string) => printed.match(/^curl .*\$url.*/gm) ?? []

/** Runs a printed line in a shell that has run those that set its variables. */
async function paste(line: string, printed: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${printed.match(/^(?:url|key|block)=.*/gm)?.join('\n')}\n${line}`,
  ])
  return JSON.parse(stdout)
}

/** No limit on an upstream strikes, however busy the machine is. */
const patient: ServiceOptions = { after: () => () => undefined, elapsed: () => 0 }

// Windows' own lines are tested by what they say.
const testOnUnix = process.platform === 'win32' ? test.skip : test

const [berkeley, mesa] = [359_605, 548_147].map((height) => knownChains.find((chain) => chain.height === height)) as [
  KnownChain,
  KnownChain,
]

/** The body of a node's answers that shows its chain, whatever was asked. */
const shown = ({ genesisStateHash, chainId }: Pick<KnownChain, 'genesisStateHash' | 'chainId'>) => ({
  data: {
    ...tipReplyAt(2).data,
    genesisBlock: { stateHash: genesisStateHash, protocolState: firstGenesisWire },
    daemonStatus: { chainId, consensusConfiguration: constantsWire },
  },
})

describe('the service on an embedded chain', () => {
  testOnUnix('answers its printed lines, one for each endpoint, with two different signers', async () => {
    const running = await service(patient)
    const printed = await greeting(running)
    const lines = linesToPaste(printed)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const answers = await Promise.all(lines.map((line) => paste(line, printed)))
    expect(running.log.map(({ endpoint, status }) => `${endpoint} ${status}`).sort()).toEqual(
      endpoints.map(({ name, method }) => `${name} ${method === 'GET' ? 200 : 201}`).toSorted(),
    )
    const answerTo = (path: string) => answers[lines.findIndex((line) => line.includes(path))]
    const [alice, bob, carol, dave] = running.wallets.map(({ publicKey }) => publicKey)
    expect([answerTo('/broadcast/transaction'), answerTo('/broadcast/delegation')]).toMatchObject([
      { result: { payment: { from: alice, to: bob, amount: '1500000000' } } },
      { result: { delegation: { from: carol, to: dave, isDelegation: true } } },
    ])
  })

  test('prints for Windows the lines that cmd understands, with the same addresses', async () => {
    const running = await service()
    const inSh = (await greeting(running, 'linux')).split('\n')
    const inCmd = (await greeting(running, 'win32')).split('\n')
    const written = (line: string) =>
      line
        .replace(/^(url|key|block|chain)=/, 'set $1=')
        .replaceAll('curl -sS', 'curl.exe -sS')
        .replace(/\$(url|key|block|chain)/g, '%$1%')
    expect(inCmd).toEqual(inSh.map(written))
    expect(inCmd.filter((line) => /^(?:set|curl\.exe) /.test(line))).toHaveLength(
      inSh.filter((line) => /^(?:\w+=|curl )/.test(line)).length,
    )
    // A quote of the other shell, or a sign of cmd that is not meant.
    expect(inCmd.filter((line) => /^(?:set|curl\.exe) /.test(line) && /['^$]|[&<>]/.test(line))).toEqual([])
  })

  test('has its node at the port that was named, so that another service finds it after a restart', async () => {
    const { nodeUrl, close } = await service()
    await close()
    const nodePort = Number(new URL(nodeUrl).port)
    const again = await service({ nodePort })
    expect(again.nodeUrl).toBe(nodeUrl)
    await again.close()
    // A node that breaks answers there too, and so do the controls of its chain.
    const flaky = await service({ nodePort, flaky: 1 })
    expect([flaky.nodeUrl, flaky.controlUrl]).toEqual([nodeUrl, `http://127.0.0.1:${nodePort}/chain`])
    expect((await fetch(`${flaky.controlUrl}/reorganised?depth=x`, { method: 'POST' })).status).toBe(400)
  })

  testOnUnix('prints lines that send another command each time, before the line that shows them', async () => {
    const printed = await greeting(await service(patient))
    const broadcasts = linesToPaste(printed).slice(0, 2)
    for (const nonce of [0, 1]) {
      const answers = await Promise.all(broadcasts.map((line) => paste(line, printed)))
      expect(answers).toMatchObject([{ result: { payment: { nonce } } }, { result: { delegation: { nonce } } }])
    }
    const history = linesToPaste(printed).find((line) => line.includes('/transactions?')) ?? ''
    expect(await paste(history, printed)).toMatchObject({
      pending: [{ command: { nonce: 1 } }, { command: { nonce: 0 } }],
    })
  })

  test('serves a document whose examples work as they stand, each command once whatever its form', async () => {
    const { url, chain } = await service()
    const { paths } = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
    const before = chain?.pool().length ?? 0
    const statuses: string[] = []
    const ask = async (path: string, init?: RequestInit) => {
      statuses.push(`${path.split(/[/?]/)[1]} ${(await fetch(url + path, init)).status}`)
    }
    for (const { method, path } of endpoints) {
      const { parameters = [], requestBody }: Operation = paths[path][method.toLowerCase()]
      const values = new Map(parameters.map(({ name, example }) => [name, String(example)]))
      // As programs do that fill in every option.
      const query = parameters
        .filter((one) => one.in === 'query')
        .map(({ name, example }): [string, string] => [name, String(example)])
      const filled = path.replace(/\{(\w+)\}/, (_, name) => values.get(name) ?? '')
      if (method === 'GET') await ask(`${filled}?${new URLSearchParams(query)}`)
      for (const { value } of Object.values(requestBody?.content['application/json'].examples ?? {})) {
        await ask(path, { method: 'POST', body: JSON.stringify(value) })
      }
    }
    const expected = endpoints.flatMap(({ method, path }) => {
      const segment = path.split('/')[1]
      return method === 'GET' ? [`${segment} 200`] : Array.from({ length: 3 }, () => `${segment} 201`)
    })
    expect(statuses).toEqual(expected)
    expect(chain?.pool().length).toBe(before + 2)
  })

  test('makes a block at each interval until it is closed', async () => {
    const running = await service({ blockSeconds: 7 })
    expect(running.repeated).toMatchObject([{ intervalMs: 7000, stopped: false }])
    running.clock.now += 7000
    running.repeated[0]?.task()
    const latest = await fetch(`${running.url}/blocks`)
    const dateTime = new Date(running.chain?.tip().date ?? 0).toISOString()
    expect(await latest.json()).toMatchObject({ blocks: [{ blockHeight: 41, dateTime }] })
    await running.close()
    expect(running.repeated).toMatchObject([{ stopped: true }])
  })

  test('lists each test wallet in an aligned table', async () => {
    const running = await service()
    const rows = (await greeting(running)).split('\n').filter((line) => /B62\S+ +EK\S+/.test(line))
    const wallets = running.wallets.map(({ name, publicKey, privateKey, note }) => [name, publicKey, privateKey, note])
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(wallets)
    expect(new Set(rows.map((row) => row.indexOf('EK'))).size).toBe(1)
  })

  test('closes once, even in the middle of a request, and frees its port', async () => {
    const running = await service()
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    const cut = once(socket, 'close')
    socket.write('GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\nPOST /broadcast/transaction HTTP/1.1\r\n')
    await once(socket, 'data')
    const first = running.close()
    expect(running.close()).toBe(first)
    await first
    await cut
    await expect(fetch(`${running.url}/summary`)).rejects.toThrow()
    await expect(fetch(running.nodeUrl, { method: 'POST' })).rejects.toThrow()
    const again = await service({ port: Number(new URL(running.url).port) })
    expect(again.url).toBe(running.url)
  })

  test('reads a payload leniently where its environment says so', async () => {
    const errors = ['true', 'false'].map(async (LENIENT_PAYLOAD) => {
      const { url, wallets } = await service({ environment: { LENIENT_PAYLOAD } })
      const [from, to] = wallets.map(({ publicKey }) => publicKey)
      const payload = { from, to, fee: 10000000, amount: 1, nonce: 0, memo: '' }
      const body = JSON.stringify({ signature: { field: '1', scalar: '2' }, payload })
      const answer = await fetch(`${url}/broadcast/transaction`, { method: 'POST', body })
      return String(Object(await answer.json()).error)
    })
    expect(await Promise.all(errors)).toEqual([
      expect.stringContaining('Invalid_signature'),
      expect.stringContaining('/payload/memo must not be empty'),
    ])
  })
})

describe('the service in front of another node', () => {
  testOnUnix('uses that node, has no chain, and prints a line for each endpoint that reads', async () => {
    const other = await service()
    const running = await inFrontOf(`${other.nodeUrl}?key=secret`, patient)
    expect(running).toMatchObject({ wallets: [], repeated: [] })
    expect(running.chain).toBeUndefined()
    const printed = await greeting(running)
    expect(printed).toContain(other.nodeUrl)
    expect(printed).not.toContain('secret')
    const lines = linesToPaste(printed)
    const answers = await Promise.all(lines.map((line) => paste(line, printed)))
    const reading = endpoints.filter(({ method }) => method === 'GET').map(({ name }) => `${name} 200`)
    expect(running.log.map(({ endpoint, status }) => `${endpoint} ${status}`)).toEqual(expect.arrayContaining(reading))
    expect(answers).toHaveLength(reading.length)
    const ofSummary = answers[lines.findIndex((line) => line.includes('/summary'))]
    expect(ofSummary).toMatchObject({ stateHash: other.chain?.tip().stateHash })
  })

  test('answers although the first of several nodes is gone, and says which one', async () => {
    const nodes = [`${unservedUrl}/graphql`, (await service()).nodeUrl].map((graphqlUrl) => ({ graphqlUrl }))
    const running = await service({ environment: { NODES: JSON.stringify(nodes) } })
    expect(running.chain).toBeUndefined()
    const printed = await greeting(running, 'linux')
    expect(printed).toContain('the first of your 2 nodes')
    expect(printed).toContain(`\nThe node ${new URL(unservedUrl).host} refuses connections`)
    expect(linesToPaste(printed).length).toBeGreaterThan(0)
    const summary = await fetch(`${running.url}/summary`)
    expect([summary.status, await summary.json()]).toMatchObject([200, { blockchainLength: 40 }])
  })

  test('names the variable that lists its only node', async () => {
    const { nodeUrl } = await service()
    const ofList = await service({ environment: { NODES: JSON.stringify([{ graphqlUrl: nodeUrl }]) } })
    expect(await greeting(ofList, 'linux')).toContain('your node, from NODES')
    expect(await greeting(await inFrontOf(nodeUrl), 'linux')).toContain('your node, from NODE_GRAPHQL_URL')
  })

  const bootstrapping = async () => {
    const { nodeUrl, chain } = await service()
    Object.assign(chain ?? {}, { bootstrapping: true })
    return nodeUrl
  }
  const answering = async (status: number, body: object = {}) =>
    (await serve((_, response) => response.writeHead(status).end(JSON.stringify(body)))).url
  test.each([
    [
      'is gone',
      () => unservedUrl,
      {},
      /^The node refuses connections: nothing listens at its port \(.*ECONNREFUSED.*\)\. Start it, or correct NODE_GRAPHQL_URL\./,
    ],
    ['is bootstrapping', bootstrapping, {}, /^The node is bootstrapping .* Wait until it is synced/],
    [
      'is no Mina daemon',
      () => answering(404),
      {},
      /^The node has no GraphQL at this path \(nodeTip: no data, HTTP 404\)\. Correct the path in NODE_GRAPHQL_URL\./,
    ],
    [
      'is a Rust node',
      () => answering(400, { errors: [{ message: 'Unknown field "blockchainLength" on type "ConsensusState".' }] }),
      {},
      /^The node is a Rust node, which is not supported: .* \(nodeTip: Unknown field .*\)\. Use an OCaml daemon\.$/,
    ],
    ['wants a key', () => answering(401), {}, /^The node wants a key \(.*\)\. Set UPSTREAM_HEADERS/],
    [
      'refuses the key',
      () => answering(403),
      { UPSTREAM_HEADERS: '{"x-api-key":"k"}' },
      /^The node refuses the key, or this address \(.*\)\. Look at the allow list/,
    ],
    ['is dead behind a proxy', () => answering(502), {}, /^The node is not reached by the proxy in front of it \(/],
    [
      'has a gateway with a limit of depth',
      () => answering(400, { errors: [{ message: 'Query depth limit of 3 exceeded, found 4.' }] }),
      {},
      /^The node refuses our questions as too deep or too complex \(nodeTip: Query depth limit of 3 exceeded, found 4\.\)/,
    ],
    [
      'has a gateway that does not let anybody in',
      () => answering(400, { errors: [{ message: 'Client name\u001b[2J is missing.' }] }),
      {},
      /^The node has a gateway .* \(nodeTip: Client name\ufffd\[2J is missing\.\)\. /,
    ],
    [
      'redirects',
      async () =>
        (await serve((_, answer) => answer.writeHead(301, { location: 'https://a.example/?key=k' }).end())).url,
      {},
      /^The node redirects, which is not followed \(HTTP 301 to https:\/\/a\.example\/\)\. Put the address/,
    ],
    [
      'is on a chain that the pinned one has replaced',
      () => answering(200, shown(berkeley)),
      { GENESIS_STATE_HASH: mesa.genesisStateHash },
      /^The node is of another network, by its genesis block 3NK4\w+ \(mainnet until 2026-09-03\), and is not used\. Take it out, or correct GENESIS_STATE_HASH\.$/,
    ],
  ])('starts before a node that %s, and says in one line what to do', async (_, address, pin, trouble) => {
    const running = await service({ environment: { NODE_GRAPHQL_URL: await address(), ...pin } })
    const printed = (await greeting(running)).split('\n')
    expect(printed.slice(printed.indexOf('') + 1)).toEqual([
      expect.stringMatching(trouble),
      'The service is up, and answers 502 or 503 until a node can be used.',
      '',
      'Ctrl-C stops it.',
    ])
  })

  const found = async (given: object, body: object) =>
    lookAtNodes(readSettings({ NODE_GRAPHQL_URL: await answering(200, body), ...given }))

  test('names the network of the node, and judges by the rules of the service whether the node is used', async () => {
    const pinned = { GENESIS_STATE_HASH: mesa.genesisStateHash }
    const old = 'The node is on a chain that a hard fork has ended, by its genesis block'
    const lone = `The node is alone on a chain of its making: it has the genesis block of mainnet until 2026-09-03, and another chain id (${'41'.repeat(32)}).`
    const anew = 'Install the release of the present chain anew.'
    const other = 'ab'.repeat(32)
    const embedded = { genesisStateHash: '3NKsU2tSaeru4Eypyt7McBmeLDcFgo1cYwPLK1g93jUrLi13K29c', chainId: other }
    const pin = { GENESIS_STATE_HASH: embedded.genesisStateHash, CHAIN_ID: '01'.repeat(32) }
    expect([
      await found({}, shown(mesa)),
      await found({ ...pinned, CHAIN_ID: mesa.chainId }, shown(mesa)),
      await found({}, shown(berkeley)),
      await found({}, shown({ ...berkeley, chainId: '41'.repeat(32) })),
      await found(pinned, shown({ ...berkeley, chainId: '41'.repeat(32) })),
      await found(pinned, shown(embedded)),
      await found(pin, shown(embedded)),
    ]).toEqual([
      { troubles: [], isUsable: true, network: 'mainnet since 2026-09-03' },
      { troubles: [], isUsable: true, network: 'mainnet since 2026-09-03' },
      {
        troubles: [`${old} ${berkeley.genesisStateHash} (mainnet until 2026-09-03). Upgrade it.`],
        isUsable: true,
        network: 'mainnet until 2026-09-03',
      },
      { troubles: [`${lone} It is used, since no pin excludes it. ${anew}`], isUsable: true },
      { troubles: [`${lone} It is not used. ${anew}`], isUsable: false },
      {
        troubles: [
          `The node is of another network than GENESIS_STATE_HASH pins, by its genesis block ${embedded.genesisStateHash}, and is used: every node names it, as after a hard fork. Correct GENESIS_STATE_HASH.`,
        ],
        isUsable: true,
      },
      {
        troubles: [
          `The node is of another network, by its chain id ${other}, and is not used. Take it out, or correct CHAIN_ID.`,
        ],
        isUsable: false,
      },
    ])
  })

  test('names the limit of an indexer that refuses the largest question, and is in use all the same', async () => {
    const indexer = await serve(async (request, response) => {
      const { query } = JSON.parse(await text(request))
      const refusal = { data: null, errors: [{ message: 'Query is too complex.' }] }
      response.end(JSON.stringify(sizeOfDocument(query).fields > 70 ? refusal : { data: {} }))
    })
    const { nodeUrl } = await service()
    const environment = { NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexer.url }
    expect(await lookAtNodes(readSettings(environment))).toEqual({
      troubles: [
        'The indexer refuses our questions as too deep or too complex (blocksBelow: Query is too complex.). Raise the limits of the gateway in front of it: docs/upstreams.md says what our questions need.',
      ],
      isUsable: true,
    })
  })

  test('does not wait long for a node that is silent', async () => {
    const { url } = await serve(() => undefined)
    const looked = await lookAtNodes(readSettings({ NODE_GRAPHQL_URL: url }), 50)
    const says = expect.stringMatching(/^The node does not answer in time \(.*\)\. Check NODE_GRAPHQL_URL, its load/)
    expect(looked).toEqual({ troubles: [says], isUsable: false })
  })
})

test('service and docs page of npm start are at their printed addresses, and the page has no other file', async () => {
  const running = await service()
  const printed = await greeting(running)
  const [, root = ''] = /^REST service +(\S+)/m.exec(printed) ?? []
  expect(await (await fetch(root)).json()).toMatchObject({ blockchainLength: 40 })
  const [, address = ''] = /^Docs page +(\S+)/m.exec(printed) ?? []
  const page = await fetch(`${address}/`)
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, docsPolicy])
  await page.text()
  expect((await fetch(`${address}/page.js`)).status).toBe(404)
})
