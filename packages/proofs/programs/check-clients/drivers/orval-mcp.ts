// Drives orval's server for agents (MCP) as an agent does, over its standard input and output.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ask } from './asking.ts'

const agent = new Client({ name: 'check', version: '1' })

/** What a tool answers. It is checked by the schema that the server names. */
async function call(name: string, given: object = {}) {
  const answer = await agent.callTool({ name, arguments: { ...given } })
  if (answer.isError) throw new Error(JSON.stringify(answer.content))
  return Object(answer.structuredContent)
}

await ask((address) => {
  const connected = agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, 'server.mjs')],
      env: { SERVICE: address },
      stderr: 'ignore',
    }),
  )
  const tool = async (name: string, given?: object) => {
    await connected
    return call(name, given)
  }
  const accepted = async (name: string, bodyParams: object) => {
    const { message } = await tool(name, { bodyParams })
    return String(message)
  }
  return {
    newest: async () => (await tool('getBlocks', { queryParams: { limit: 1 } })).blocks[0],
    block: async (state_hash) => (await tool('getBlock', { pathParams: { state_hash } })).block,
    blockAt: async (height) => (await tool('getBlockAtHeight', { pathParams: { height } })).block,
    account: async (public_key) => (await tool('getAccount', { pathParams: { public_key } })).account,
    height: async () => (await tool('getSummary')).blockchainLength,
    transaction: async (hash) => (await tool('getTransaction', { pathParams: { hash }, queryParams: {} })).transaction,
    // A tool gives no status, only the words of the answer.
    statusOf: (hash) =>
      tool('getTransaction', { pathParams: { hash }, queryParams: {} }).then(
        () => 200,
        (error) => (String(error).includes('No transaction found') ? 404 : undefined),
      ),
    pay: (body: object) => accepted('broadcastTransaction', body),
    delegate: (body: object) => accepted('broadcastDelegation', body),
  }
})
await agent.close()
