import { expect } from '@jest/globals'
import type { StackTemplate } from './stack-template.ts'

/** The only resource of a type in a template. */
export function onlyResource(template: StackTemplate, type: string) {
  const [entry, ...others] = Object.entries(template.findResources(type))
  expect(others).toEqual([])
  const [id, resource] = entry ?? ['', undefined]
  return { id, properties: resource?.Properties, dependsOn: resource?.DependsOn }
}
