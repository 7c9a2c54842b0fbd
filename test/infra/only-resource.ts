import { expect } from '@jest/globals'
import type { StackTemplate } from './stack-template.ts'

/** The only resource of a type in a template, among those whose logical id contains a text. */
export function onlyResource(template: StackTemplate, type: string, partOfId = '') {
  const [entry, ...others] = Object.entries(template.findResources(type)).filter(([id]) => id.includes(partOfId))
  expect(others).toEqual([])
  const [id, resource] = entry ?? ['', undefined]
  return { id, properties: resource?.Properties, dependsOn: resource?.DependsOn }
}
