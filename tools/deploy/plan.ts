// The options that `npm run deploy` adds to the caller's: the running release, and its alarms.

/** Outputs of the running stack by name; undefined before the first deployment. */
export type Outputs = Readonly<Record<string, string>>

/** The caller's arguments. */
export interface DeployArguments {
  /** For the synthesis: the stage and its settings. */
  readonly context: readonly string[]
  /** A folder that was synthesised before, which is deployed as it is. */
  readonly app: string | undefined
  readonly profile: string | undefined
  /** True where no alarm shall roll the deployment back: the service is red already, and this is the repair. */
  readonly ignoresAlarms: boolean
  /** For the CDK. */
  readonly others: readonly string[]
}

const withValue = {
  '-c': 'context',
  '--context': 'context',
  '-a': 'app',
  '--app': 'app',
  '--profile': 'profile',
} as const

/** True for a stack that was never made: its resources are gone, and the CDK deletes it before it makes it anew. */
export const isFailedCreation = (status: string): boolean =>
  status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED'

/** True for a stack without resources, which reserves nothing. */
export const isEmpty = (status: string): boolean => status === 'ROLLBACK_COMPLETE' || status === 'REVIEW_IN_PROGRESS'

/** Options of the CDK that go past CloudFormation, which alone rolls back. */
const shortcuts = ['express', 'hotswap', 'hotswap-fallback', 'watch'] as const

/** Options of the CDK that decide whether a bad release is rolled back. */
const rollbackOptions: ReadonlySet<string> = new Set([
  ...shortcuts.map((name) => `--${name}`),
  '--rollback',
  '--no-rollback',
  '--rollback-trigger-alarm-arns',
  '--monitoring-time-minutes',
])

/** yargs takes `--hotswapFallback` for `--hotswap-fallback`, and among short options R is `--no-rollback`. */
function decidesRollback(name: string): boolean {
  if (!name.startsWith('--')) return /^-\w*R/.test(name)
  return rollbackOptions.has(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
}

const isTags = (name: string): boolean => name === '--tags' || /^-t(?!-)/.test(name)

/**
 * @throws Error for an option without its value, for `--tags`, which would replace the tags of the stack, and for an option that
 *   would switch the rollback off
 */
export function givenIn(args: readonly string[]): DeployArguments {
  const found: Record<'context' | 'app' | 'profile', string[]> = { context: [], app: [], profile: [] }
  const others: string[] = []
  let ignoresAlarms = false
  for (let at = 0; at < args.length; at += 1) {
    const [name = '', ...parts] = (args[at] ?? '').split('=')
    const kind = Object.hasOwn(withValue, name) ? withValue[name as keyof typeof withValue] : undefined
    if (isTags(name)) {
      throw new Error(
        `${name} would replace the stack's own tags, by which the budget finds its costs: use the setting tags`,
      )
    }
    if (decidesRollback(name)) {
      throw new Error(
        `${name} would decide whether alarms roll a bad release back: leave it out; a repair under a red alarm is deployed with --ignore-alarms`,
      )
    }
    if (name === '--ignore-alarms') ignoresAlarms = true
    else if (kind === undefined) others.push(args[at] ?? '')
    else {
      if (parts.length === 0) at += 1
      const value = parts.length === 0 ? args[at] : parts.join('=')
      if (value === undefined) throw new Error(`${name} has no value`)
      found[kind].push(value)
    }
  }
  return { context: found.context, app: found.app.at(-1), profile: found.profile.at(-1), ignoresAlarms, others }
}

/** Printed at once: the CDK's own help says nothing of what is added here. */
export const usage = `npm run deploy -- -c stage=X [--profile P] [--ignore-alarms] [options of cdk deploy]
  synthesises the stage config/X.ts and deploys it; alarms roll a bad release back
npm run deploy -- --app cdk.out …
  deploys what npm run synth has written there
--ignore-alarms  no alarm rolls this deployment back: for a repair under a red one
--require-approval never  asks nothing, for a pipeline`

/** A warning of a release that no checkout gives again; undefined for that of a commit. */
export const unrepeatable = (commit: string): string | undefined =>
  /-dirty-|^sources-/.test(commit)
    ? `Warning: ${commit} has files that are in no commit. Once another release runs, nobody can roll back to this one by its commit: commit them, and deploy again.`
    : undefined

/** The stack's tags as options: they take precedence over `tags` in a `cdk.json`, which would replace them. */
export const tagOptions = (tags: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(tags).flatMap(([name, value]) => ['--tags', `${name}=${value}`])

/** The CDK takes these options from variables such as CDK_EXPRESS and from a `cdk.json` too; the command line overrides both. */
export const armed: readonly string[] = ['--rollback', ...shortcuts.map((name) => `--no-${name}`)]

/** For as long CloudFormation watches the alarms after the last resource is in place. */
const watchedMinutes = 10

/**
 * The options of `cdk deploy` that follow from the running stack.
 *
 * @param running its outputs
 * @param commit the one that is deployed now; deploying it again leaves the release before it as it is
 */
export function optionsFor(running: Outputs | undefined, commit: string, ignoresAlarms: boolean): readonly string[] {
  if (running === undefined) return []
  const { Version: version, Commit: before, RollbackAlarms: alarms = '' } = running
  const isOther = version !== undefined && before !== undefined && before !== commit
  const arns = alarms.split(' ').filter((arn) => arn !== '')
  return [
    ...(isOther
      ? ['--parameters', `PreviousVersionGiven=${version}`, '--parameters', `PreviousCommitGiven=${before}`]
      : []),
    // CloudFormation keeps the alarms of the last deployment unless it is told otherwise.
    ...(ignoresAlarms || arns.length === 0
      ? ['--rollback-trigger-alarm-arns', 'none']
      : [
          ...arns.flatMap((arn) => ['--rollback-trigger-alarm-arns', arn]),
          '--monitoring-time-minutes',
          String(watchedMinutes),
        ]),
  ]
}
