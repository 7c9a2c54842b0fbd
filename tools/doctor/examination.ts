// The whole examination: first the upstreams, then the deployment, compared with them.
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

/** A shorter one occurs in ordinary words, and masking it would garble the line. */
const minSecretLength = 4

/** The line of a finding, with secrets masked, in case an upstream repeats them. */
export const safeLineOf = (finding: Finding, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= minSecretLength)
    .reduce((line, secret) => line.replaceAll(secret, '…'), lineOf(finding))
