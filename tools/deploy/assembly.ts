import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Reservations, reservationsIn } from './reservations.ts'

/** The stack of a synthesised folder, as far as a deployment asks for it. */
export interface SynthesisedStack {
  readonly name: string
  readonly region: string
  readonly commit: string
  readonly tags: Readonly<Record<string, string>>
  readonly reservations: Reservations
}

interface Artifact {
  readonly type: string
  readonly environment?: string
  readonly properties?: {
    readonly templateFile?: string
    readonly stackName?: string
    readonly tags?: Readonly<Record<string, string>>
  }
}

/**
 * @param folder that the CDK wrote
 * @throws Error unless it holds exactly one stack of this service
 */
export function stackIn(folder: string): SynthesisedStack {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const artifacts: Readonly<Record<string, Artifact>> = read('manifest.json').artifacts
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack')
  const [[id, { environment = '', properties = {} }] = ['', {} as Artifact], ...others] = stacks
  // aws://unknown-account/us-east-1
  const region = environment.split('/').at(-1)
  const { stackName: name = id, templateFile, tags = {} } = properties
  if (others.length > 0 || !region || templateFile === undefined) throw new Error(`${folder} does not hold one stack`)
  const template = read(templateFile)
  const commit = String(template.Outputs?.Commit?.Value)
  return { name, region, commit, tags, reservations: reservationsIn(template) }
}
