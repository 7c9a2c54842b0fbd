// openapi.json as tools read it: a linter, and a generator of types for TypeScript, whose output is compiled.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { temporaryFolder } from '../serving.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The output of a Node script, successful or not. */
const printedBy = (...args: readonly string[]): Promise<string> =>
  run(process.execPath, [...args], { cwd: root }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
  )

/** A wallet's and an explorer's use of the types. Marked lines must not compile. */
const usage = `
import Signer4 from 'mina-signer'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import type { components, paths } from './openapi.ts'

type BodyOf<Path extends '/broadcast/transaction' | '/broadcast/delegation'> =
  paths[Path]['post']['requestBody']['content']['application/json']

const draft = { to: 'B62…', from: 'B62…', fee: 1n, nonce: 0 }
const network = 'mainnet'
const signers = [new Signer1({ network }), new Signer2({ network }), new Signer3({ network }), new Signer4({ network })] as const

type Payments = readonly BodyOf<'/broadcast/transaction'>[]
type Delegations = readonly BodyOf<'/broadcast/delegation'>[]
interface Data { readonly to: string; readonly from: string; readonly fee: Number; readonly nonce: Number; readonly memo?: string; readonly validUntil?: Number }
type Number = string | number | bigint
// mina-signer gives texts, but its types allow numbers too.
const textsOf = ({ to, from, fee, nonce, memo = '', validUntil = '4294967295' }: Data) =>
  ({ to, from, fee: String(fee), nonce: String(nonce), memo, validUntil: String(validUntil) })
export const payments: Payments = signers.map((signer) => {
  const signed = signer.signPayment({ ...draft, amount: '1' }, '')
  return { ...signed, data: { ...textsOf(signed.data), amount: String(signed.data.amount) } }
})
export const delegations: Delegations = signers.map((signer) => {
  const signed = signer.signStakeDelegation(draft, '')
  return { ...signed, data: textsOf(signed.data) }
})
const signature = { field: '1', scalar: '2' }
const payload = { to: '', from: '', fee: '1', nonce: '0', memo: 'm', validUntil: '1' }
export const contracts: BodyOf<'/broadcast/delegation'> = { publicKey: '', signature, payload }
export const raw: BodyOf<'/broadcast/delegation'> = { publicKey: '', signature: { rawSignature: '' }, payload }
// @ts-expect-error nothing is signed
export const unsigned: BodyOf<'/broadcast/delegation'> = { publicKey: '', payload }
// @ts-expect-error a payment has an amount
export const withoutAmount: BodyOf<'/broadcast/transaction'> = { publicKey: '', signature, payload }

export const query: paths['/blocks']['get']['parameters']['query'] = { limit: 3 }
// @ts-expect-error the limit is a number
export const text: paths['/blocks']['get']['parameters']['query'] = { limit: '3' }

type Answers = paths['/blocks/{state_hash}']['get']['responses']
export const statuses: readonly (keyof Answers)[] = [200, 304, 403, 404, 429, 500, 502, 503, 504]
export const textOf = (refusal: Answers[403 | 404 | 429]['content']['application/json']): string => refusal.message

export function figures({ transactions, snarkJobs }: components['schemas']['Block']): readonly number[] {
  const reasons: readonly (string | undefined)[] = transactions.userCommands.map(({ failureReason }) => failureReason)
  return [reasons.length, transactions.zkappCommandCount, ...snarkJobs.flatMap(({ workIds = [] }) => workIds.map(({ workId }) => workId))]
}
export const delegators = ({ nextEpochDelegators = [], nextEpochStakingAccount = [] }: components['schemas']['Account']): readonly string[] =>
  [...nextEpochDelegators, ...nextEpochStakingAccount].map(({ pk, balance }) => pk + balance)
`

const settings = {
  compilerOptions: {
    ...{ target: 'es2024', module: 'nodenext', types: ['node'], noEmit: true, strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
  },
}

test('a linter finds nothing in openapi.json', async () => {
  expect(await printedBy('tools/lint-openapi.ts')).toBe('0 problems\n')
})

// Inside the project, so that mina-signer is found.
const parent = join(root, 'node_modules/.cache')
mkdirSync(parent, { recursive: true })
const folder = temporaryFolder(parent)

test('types made of openapi.json compile, take the result of each mina-signer with its numbers as texts, and know every status', async () => {
  expect(await printedBy('tools/client-types/write.ts', join(folder, 'openapi.ts'))).toBe('')
  writeFileSync(join(folder, 'usage.ts'), usage)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  expect(await printedBy('node_modules/typescript/bin/tsc', '--project', folder)).toBe('')
})
