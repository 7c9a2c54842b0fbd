// The template of a stage's stack, without its bundles.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack, type Release } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { leastFile, read } from './settings/read-settings.ts'

/** A stage with only a node, whose address is no placeholder. */
const nodeGraphqlUrl = 'https://node.example.org/graphql'
export const settings: StageSettings = read({ ...leastFile, nodeGraphqlUrl, upstreamTimeoutMs: 9000 })

export const release: Release = { version: '1.2.3', commit: '0123456789ab' }

/**
 * An app with the project's feature flags that builds no bundles.
 *
 * @param builtinCloudFormationValidation whether the CDK checks the template by its own rules, which take seconds to load
 */
export function bareApp(builtinCloudFormationValidation = false): App {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'))
  return new App({
    builtinCloudFormationValidation,
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
    // One folder per process. Each app would leave one of its own otherwise.
    outdir: join(tmpdir(), `chain-explorer-assembly-${process.pid}`),
  })
}

const templates = new Map<string, Template>()

/** The template of the bare stage with some settings changed. Tests share it, so they must not change it. */
export function templateOf(changed: Partial<StageSettings> = {}): Template {
  const all = { ...settings, ...changed }
  const key = JSON.stringify(all)
  const template = templates.get(key) ?? Template.fromStack(new ApiStack(bareApp(), all, release))
  templates.set(key, template)
  return template
}
