// Examples of the OpenAPI document that work on the embedded chain as it is now, so that a reader can send each as it stands.

import type { Chain } from '../../packages/testnet/chain.ts'
import { namedIn, optionsNamedIn } from '../../packages/testnet/named.ts'
import { heldValues } from '../../shared/contract/parameters.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { signedCommands, walletOf } from '../examples/signed-forms.ts'

/** The parts of an operation that have examples. */
export interface Operation {
  readonly parameters?: { readonly name: string; readonly in: string; example?: unknown }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly examples: Record<string, { value: unknown }> } }
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/**
 * The document with a block and an account of the chain, and with commands of its wallets that are accepted once.
 *
 * @param openApi the OpenAPI document, as JSON
 */
export function withLiveExamples(openApi: string, chain: Chain): string {
  const document: Document = JSON.parse(openApi)
  const creator = walletOf(chain, 'alice').publicKey
  const named = { ...heldValues({ ...namedIn(chain), creator }), ...optionsNamedIn(chain), account: creator }
  const held = new Map<string, unknown>(Object.entries(named))
  const signed = new Map(Object.entries(signedCommands))
  for (const { name, method, path } of endpoints) {
    const { parameters = [], requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
    for (const parameter of parameters) {
      const value = held.get(parameter.name)
      if (value !== undefined) parameter.example = typeof parameter.example === 'number' ? Number(value) : value
    }
    const forms = signed.get(name)?.(chain, { memo: 'example' })
    for (const [form, value] of Object.entries(forms ?? {})) {
      const example = requestBody?.content['application/json'].examples[form]
      if (example !== undefined) example.value = value
    }
  }
  return JSON.stringify({ ...document, 'x-live-examples': true })
}
