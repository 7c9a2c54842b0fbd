// A whole visit: the upstreams first, then the deployment, compared with what they told.
import { examineDeployment } from './deployment/deployment.ts'
import { type Finding, lineOf } from './finding.ts'
import { unreadKeyFinding } from './plan/header-options.ts'
import type { Plan } from './plan/plan.ts'
import { examineUpstreams } from './upstreams/upstreams.ts'

/** @param now this machine's clock, ms since 1970 */
export async function* examine(
  { settings, expected, url, unreadKeys }: Plan,
  now: () => number,
): AsyncGenerator<Finding, void, undefined> {
  yield* unreadKeys.map(unreadKeyFinding)
  const tip = settings && (yield* examineUpstreams(settings, expected, now))
  if (url !== undefined) yield* examineDeployment(url, expected, tip)
}

/** Anything shorter stands in many innocent words, and protects nothing. */
const shortestSecret = 4

/** The line of a finding, without a secret even where an upstream repeats it. */
export const safeLineOf = (finding: Finding, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((line, secret) => line.replaceAll(secret, '…'), lineOf(finding))
