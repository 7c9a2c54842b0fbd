// What a change must pass. The pipeline runs the same; a test compares the two.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stageOf } from '../../shared/deployment/stage-file.ts'

const stages = readdirSync(join(import.meta.dirname, '../../config')).flatMap((file) => stageOf(file) ?? [])

/** `npm run check`, in this order. */
export const gate: readonly string[] = [
  'npm test -- --all',
  'npm run lint',
  'npm run types',
  ...stages.map((stage) => `npm run synth -- -c stage=${stage}`),
  'npm run licences',
  'npm run --silent sbom',
]

/** `npm run check -- --all` runs them after those: longer, to find rare mistakes. */
export const proofs: readonly string[] = ['npm run bench -- all --quick']
