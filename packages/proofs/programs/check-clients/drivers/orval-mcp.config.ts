// Has orval generate a server for agents (MCP). Its zod schemas refuse integers above 2^53, so those of int64 become numbers.
import { defineConfig } from 'orval'

export default defineConfig({
  explorer: {
    input: {
      target: './openapi.json',
      override: {
        transformer: (document) =>
          JSON.parse(JSON.stringify(document), (_name, value) =>
            value?.format === 'int64' ? { ...value, type: 'number' } : value,
          ),
      },
    },
    output: { client: 'mcp', target: './client/handlers.ts', baseUrl: { runtime: 'process.env.SERVICE' } },
  },
})
