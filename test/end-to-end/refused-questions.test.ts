// A node whose version lacks a field that one endpoint needs, over the bundles as they are deployed: each knows its own questions.
import { expect, test } from '@jest/globals'
import { createChain } from '../../packages/testnet/chain.ts'
import { nodeSchemaText } from '../../packages/testnet/node/schema.ts'
import { daemonGraphQl, nodeServer } from '../../packages/testnet/node/server.ts'
import { serve } from '../serving.ts'
import { buildFunctions } from './cold-instance.ts'

const functions = await buildFunctions(['getHealth', 'getSummary', 'getBlocks'])

/** Each bundle's answer on an instance of its own, over a daemon without the field. */
async function answersWithout(field: string) {
  const schemaText = nodeSchemaText.replace(new RegExp(`^ +${field}: .*\\n`, 'm'), '')
  const chain = createChain({ seed: 'refused questions', now: Date.now, signsOwnCommands: false })
  const { url } = await serve(nodeServer(chain, daemonGraphQl(schemaText)))
  const answers = Object.entries({ getHealth: '/health', getSummary: '/summary', getBlocks: '/blocks' })
  const given = answers.map(async ([name, path]) => {
    const instance = await functions.start(name as 'getHealth', { NODE_GRAPHQL_URL: `${url}/graphql` })
    const { status, body } = await instance.ask({ path })
    const [line] = await instance.end()
    return { status, body: JSON.parse(body), line }
  })
  const [health, summary, blocks] = await Promise.all(given)
  const { status, refusedQuestions } = health?.body ?? {}
  return { status, refusedQuestions, summary: summary?.status, blocks: blocks?.status, line: health?.line }
}

const refused = (names: readonly string[]) => ({
  status: 'degraded',
  refusedQuestions: names,
  line: { failedCalls: expect.stringContaining(`${names.at(-1)} unreadable`) },
})

test.each([
  ['minWindowDensity', { ...refused(['chainSummary', 'latestBlocks']), summary: 502, blocks: 502 }],
  ['lastVrfOutput', { ...refused(['latestBlocks']), summary: 200, blocks: 502 }],
  ['consensusConfiguration', { ...refused(['nodeNetwork']), summary: 503, blocks: 200 }],
  ['peerId', { status: 'ok', refusedQuestions: undefined, summary: 200, blocks: 200 }],
])('over a daemon without %s health tells what its own questions do not need', async (field, expected) => {
  expect(await answersWithout(field)).toMatchObject(expected)
})
