// The stack of a stage as a template, without its bundles.
import { readFileSync } from 'node:fs'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack, type Release } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings.ts'
import { leastFile, read } from './read-settings.ts'

/** A stage with a node only. */
export const settings: StageSettings = read({ ...leastFile, upstreamTimeoutMs: 9000 })

export const release: Release = { version: '1.2.3', commit: '0123456789ab' }

/** An app with the project's feature flags that builds no bundles. */
export function bareApp(): App {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'))
  return new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } })
}

export const templateOf = (changed: Partial<StageSettings> = {}): Template =>
  Template.fromStack(new ApiStack(bareApp(), { ...settings, ...changed }, release))
