// The whole examination: first the upstreams, then the deployment, compared with them.
import { Secrets } from '../../functions/runtime/redaction.ts'
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

/** The line of a finding, with secrets masked, in case an upstream repeats them: before a long text is cut. */
export function safeLineOf(finding: Finding, texts: readonly string[]): string {
  const secrets = new Secrets()
  secrets.add(texts)
  return lineOf({ ...finding, says: secrets.masked(finding.says) })
}
