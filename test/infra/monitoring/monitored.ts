import { type StackTemplate, stackTemplate } from '../stack-template.ts'
import type { monitoredStack } from '../stacks/monitored-stack.ts'
import { callSynthesiser } from '../synthesiser/call.ts'

/** The template of a stack with monitoring and what it monitors, and nothing else. */
export const monitored = async (props: Parameters<typeof monitoredStack>[0] = {}): Promise<StackTemplate> =>
  stackTemplate(await callSynthesiser<typeof monitoredStack>('monitored-stack.ts', 'monitoredStack', props))
