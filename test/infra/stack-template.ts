// Stacks of stages, without their bundles.
import { expect } from '@jest/globals'
import type { Template } from 'aws-cdk-lib/assertions'
import type { StageSettings } from '../../infra/settings/schema.ts'
import type { stages } from './stacks/stages.ts'
import { callSynthesiser } from './synthesiser/call.ts'

/** The part of the CDK's class that tests use; the class itself takes long to load. */
export type StackTemplate = Pick<Template, 'findResources' | 'toJSON'>

export const stackTemplate = (json: ReturnType<Template['toJSON']>): StackTemplate => ({
  toJSON: () => json,
  findResources: (type) =>
    Object.fromEntries(
      Object.entries<{ Type: string }>(json.Resources).filter(([, resource]) => resource.Type === type),
    ),
})

/** The bare stage with some settings changed. */
export async function stageOf(changed: Parameters<typeof stages>[0] = {}) {
  const [stage] = await callSynthesiser<typeof stages>('stages.ts', 'stages', changed)
  if (stage === undefined) throw new Error('The app has no stack.')
  return { ...stage, template: stackTemplate(stage.template) }
}

/** The template of the bare stage with some settings changed. */
export const templateOf = async (changed: Partial<StageSettings> = {}): Promise<StackTemplate> =>
  (await stageOf(changed)).template

/** The only resource of a type in a template, among those whose logical id contains a text. */
export function onlyResource(template: StackTemplate, type: string, partOfId = '') {
  const [entry, ...others] = Object.entries(template.findResources(type)).filter(([id]) => id.includes(partOfId))
  expect(others).toEqual([])
  const [id, resource] = entry ?? ['', undefined]
  return { id, properties: resource?.Properties, dependsOn: resource?.DependsOn }
}
