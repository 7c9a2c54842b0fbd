// Has kubb generate types, zod schemas, and functions that leave answers as they are. Its zod parser refuses integers
// above 2^53, which answers of the service have.
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './client', clean: true },
  plugins: [pluginOas(), pluginTs(), pluginZod({ version: '4' }), pluginClient({ client: 'fetch', bundle: true })],
})
