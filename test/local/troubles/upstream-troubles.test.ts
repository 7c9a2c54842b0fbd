// A proxy, a firewall or a certificate in front of an upstream is told from the upstream itself.
import { describe, expect, test } from '@jest/globals'
import { plainLine } from '../../../local/troubles/plain-line.ts'
import {
  ignoredProxyOf,
  seenIn,
  type TroubleName,
  troubleOf,
  wordsOf,
} from '../../../local/troubles/upstream-troubles.ts'
import { WireError, type WireFault } from '../../../shared/upstream/errors.ts'
import { dataOf, nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import { lineOf } from '../../../tools/doctor/finding.ts'
import { askedWith, questionFinding } from '../../../tools/doctor/upstreams/question.ts'

/** The trouble behind a reply to the question for a node's tip. */
function inReply(status: number, errors: readonly string[] = [], data?: unknown): TroubleName {
  const reply = { status, data, errors }
  try {
    dataOf(nodeTipQuery, {}, reply)
  } catch (error) {
    if (error instanceof WireError) return troubleOf(seenIn(error, reply))
  }
  throw new Error('the reply is an answer')
}

const inError = (fault: WireFault, message: string, cause?: unknown): TroubleName =>
  troubleOf(seenIn(new WireError(fault, message, { cause })))

const coded = (code: string) => Object.assign(new Error(code), { code })

test.each<[TroubleName, string]>([
  ['unknownHost', 'ENOTFOUND'],
  ['unknownHost', 'EAI_AGAIN'],
  ['noRoute', 'ENETUNREACH'],
  ['noRoute', 'EHOSTUNREACH'],
  ['refused', 'ECONNREFUSED'],
  ['expired', 'CERT_HAS_EXPIRED'],
  ['expired', 'CERT_NOT_YET_VALID'],
  ['otherName', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['unknownAuthority', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['unknownAuthority', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ['unknownAuthority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['unknownAuthority', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['unknownAuthority', 'CERT_UNTRUSTED'],
  ['noTls', 'EPROTO'],
  ['noTls', 'ERR_TLS_HANDSHAKE_TIMEOUT'],
  ['noTls', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ['silent', 'ETIMEDOUT'],
  ['cut', 'ECONNRESET'],
  ['cut', 'EPIPE'],
])('%s is the trouble of a connection that fails with %s, also as one of several addresses', (trouble, code) => {
  expect(inError('unreachable', code, coded(code))).toBe(trouble)
  const several = new AggregateError([coded(code), coded(code)], '')
  expect(inError('unreachable', code, several)).toBe(trouble)
})

test.each<[TroubleName, string]>([
  ['refused', 'ECONNREFUSED'],
  ['silent', 'ETIMEDOUT'],
])(
  '%s is the trouble of %s at one address of a name, also where this machine has no way to another',
  (trouble, code) => {
    const several = new AggregateError([coded(code), coded('ENETUNREACH')], '')
    expect(inError('unreachable', code, Object.assign(several, { code }))).toBe(trouble)
  },
)

test.each<[TroubleName, WireFault, string, unknown]>([
  ['noHttp', 'unreadable', 'Parse Error: Expected HTTP/', coded('HPE_INVALID_CONSTANT')],
  ['silent', 'timeout', 'The operation was aborted due to timeout', undefined],
  ['foreign', 'unreadable', 'answer of more than 8388608 bytes', undefined],
  ['mismatched', 'mismatched', 'block: does not fit the question, or itself', undefined],
])('%s is the trouble of a call that ends as %s: %s', (trouble, fault, message, cause) => {
  expect(inError(fault, message, cause)).toBe(trouble)
})

test('redirect is the trouble of an answer that was not read for its status', () => {
  expect(troubleOf(seenIn(new WireError('unreadable', 'moved', { status: 307 })))).toBe('redirect')
})

describe.each<[TroubleName, number, readonly string[], unknown?]>([
  ['key', 401, []],
  ['forbidden', 403, []],
  ['noEndpoint', 404, []],
  ['noEndpoint', 405, []],
  ['silent', 408, []],
  ['size', 413, []],
  ['load', 429, []],
  ['broken', 500, []],
  ['proxy', 502, []],
  ['proxy', 504, []],
  ['proxy', 522, []],
  ['unavailable', 503, []],
  ['unavailable', 503, [], null],
  ['badRequest', 400, []],
  ['gateway', 400, ['Client name is missing.']],
  ['gateway', 400, ['Field "syncStatus" is not allowed for anonymous clients.']],
  ['unknownName', 400, ['Unknown field "blockchainLength" on type "ConsensusState"']],
  ['unknownName', 400, ['Cannot query field "blockchainLength" on type "ConsensusState".'], null],
  ['unknownName', 200, ['Unknown field "blockchainLength" on type "ConsensusState"'], null],
  ['error', 200, ['Unknown field "blockchainLength" on type "ConsensusState"'], { bestChain: null }],
  ['limit', 400, ["'nodeTip' exceeds maximum operation depth of 3"]],
  ['limit', 400, ['Syntax Error: Query depth limit of 6 exceeded, found 8.']],
  ['limit', 200, ['Query is nested too deep.']],
  ['limit', 200, ['Query is too complex.']],
  ['limit', 400, ['Syntax Error: Query Cost limit of 100 exceeded, found 115.']],
  ['limit', 400, ['Syntax Error: Document contains more that 1000 tokens. Parsing aborted.']],
  ['limit', 400, ['Syntax Error: Token limit of 1000 exceeded.']],
  ['limit', 400, ['Syntax Error: Aliases limit of 15 exceeded, found 100.']],
  ['limit', 400, ['Document nesting exceeds the limit of 64 levels']],
  ['limit', 400, ['Anonymous operation recursively requests too many selections.']],
  ['gateway', 400, ['The access token is older than the limit of 15 minutes.']],
  ['bootstrapping', 200, ['Daemon is bootstrapping'], null],
  ['error', 200, ["Field 'syncStatus' is not defined on type 'query'"]],
  ['shape', 200, [], { bestChain: 7 }],
  ['foreign', 200, []],
])('%s is the trouble of', (trouble, status, errors, data?) => {
  test(`HTTP ${status} with ${JSON.stringify({ data, errors })}`, () => {
    expect(inReply(status, errors, data)).toBe(trouble)
  })
})

test('only the check of its network tells a Rust node, and an unknown field the version of an indexer', () => {
  const reply = { status: 400, data: undefined, errors: ['Unknown field "x" on type "Y"'] }
  const names = { address: 'ADDRESS', key: 'KEY' }
  const told = (upstream: 'node' | 'indexer', refusesCheck = false) => {
    const { says, remedy } = wordsOf(troubleOf(seenIn(new WireError('unreadable', ''), reply, refusesCheck)), {
      ...names,
      upstream,
    })
    return `The ${upstream} ${says}. ${remedy}.`
  }
  expect([told('node', true), told('node'), told('indexer')]).toEqual([
    'The node is a Rust node, which is not supported: its blocks do not show failed commands, coinbase or fee transfers. Use an OCaml daemon.',
    'The node cannot answer the question: it, or a gateway in front of it, does not have a name that is asked for. Use a daemon of a supported version, or give the gateway its whole schema.',
    'The indexer does not have a field that is asked for. Use an indexer of a supported version.',
  ])
})

test('a 403 blames the key only where one is sent', () => {
  const names = { upstream: 'node', address: 'NODE_GRAPHQL_URL', key: 'UPSTREAM_HEADERS' } as const
  expect([true, false].map((hasKey) => wordsOf('forbidden', { ...names, hasKey }).says)).toEqual([
    'refuses the key, or this address',
    'refuses this address, or wants a key; none is set',
  ])
})

describe('a proxy in the environment that Node does not look at', () => {
  const url = 'https://node.example/graphql'
  const proxy = 'http://proxy.example:3128'

  test.each([
    ['HTTPS_PROXY', url, { HTTPS_PROXY: proxy }],
    ['https_proxy', url, { https_proxy: proxy }],
    ['HTTP_PROXY', 'http://node.example/graphql', { HTTP_PROXY: proxy }],
    [undefined, url, { HTTP_PROXY: proxy }],
    [undefined, url, { HTTPS_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }],
    [undefined, url, { HTTPS_PROXY: proxy, NODE_OPTIONS: '--use-env-proxy' }],
    [undefined, url, { HTTPS_PROXY: proxy, NO_PROXY: 'localhost, .example' }],
    [undefined, 'http://127.0.0.1:3085/graphql', { HTTP_PROXY: proxy }],
  ])('is %s for %s with %j', (variable, address, env) => {
    expect(ignoredProxyOf(address, env)).toBe(variable)
  })

  test('is named where the address cannot be reached, and nowhere else', () => {
    const asked = askedWith('node', { url, headers: {} }, { HTTPS_PROXY: proxy })
    const failed = { state: 'failed', fault: 'unreachable', reason: 'its words', tookMs: 1 } as const
    const remedies = (['unknownHost', 'noRoute', 'refused', 'silent', 'cut', 'key'] as const).map(
      (trouble) => lineOf(questionFinding('node', asked, { ...failed, trouble }, 1000)).split('The proxy')[1],
    )
    const words = ' of HTTPS_PROXY is not used: that takes NODE_USE_ENV_PROXY=1'
    expect(remedies).toEqual([words, words, words, words, words, undefined])
  })
})

test("an upstream's words are one line, without signs that a terminal or its reader would obey", () => {
  const hostile = 'a\u001b[2J\u001b]0;title\u0007b\u009b31m\u202egpj.exe\n\r\tc\u2028d\ud800'
  expect(plainLine(hostile, 100)).toBe('a\ufffd[2J\ufffd]0;title\ufffdb\ufffd31m\ufffdgpj.exe c d\ufffd')
  expect(plainLine('x'.repeat(10_000_000), 3)).toBe('xxx…')
})
