// The options that `npm run deploy` adds to the caller's: the running release, and its alarms.

/** Outputs of the running stack by name; undefined before the first deployment. */
export type Outputs = Readonly<Record<string, string>>

/** The caller's arguments. */
export interface Given {
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

const isTags = (name: string): boolean => name === '--tags' || /^-t(?!-)/.test(name)

/** @throws Error for an option without its value, and for `--tags`, which would replace the tags of the stack */
export function givenIn(args: readonly string[]): Given {
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

/** The stack's tags as options: they take precedence over `tags` in a `cdk.json`, which would replace them. */
export const tagOptions = (tags: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(tags).flatMap(([name, value]) => ['--tags', `${name}=${value}`])

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
