import { expect } from '@jest/globals'
import type { Template } from 'aws-cdk-lib/assertions'

/** The resource of a type that a template has once. */
export function onlyResource(template: Template, type: string) {
  const [entry, ...others] = Object.entries(template.findResources(type))
  expect(others).toEqual([])
  const [id, resource] = entry ?? ['', undefined]
  return { id, properties: resource?.Properties, dependsOn: resource?.DependsOn }
}
