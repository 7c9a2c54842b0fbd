import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { givenIn, optionsFor, tagOptions, unrepeatable, usage } from '../../tools/deploy/plan.ts'
import { temporaryFolder } from '../serving.ts'

const alarms = ['Crashes', 'ApiFaults'].map((name) => `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${name}`)
const running = { Version: '1.2.3', Commit: '0123456789ab', RollbackAlarms: alarms.join(' ') }
const previous = ['PreviousVersionGiven=1.2.3', 'PreviousCommitGiven=0123456789ab'].flatMap((each) => [
  '--parameters',
  each,
])
const watched = [
  ...alarms.flatMap((arn) => ['--rollback-trigger-alarm-arns', arn]),
  ...['--monitoring-time-minutes', '10'],
]
const unwatched = ['--rollback-trigger-alarm-arns', 'none']

const folder = temporaryFolder()

describe('npm run deploy', () => {
  test.each([
    ['the first deployment', undefined, 'ba9876543210', false, []],
    ['another commit', running, 'ba9876543210', false, [...previous, ...watched]],
    ['the same commit, which keeps the one before', running, '0123456789ab', false, watched],
    ['a repair under a red alarm', running, 'ba9876543210', true, [...previous, ...unwatched]],
    ['a stack without these outputs', { BaseAddress: 'https://a.example' }, 'ba9876543210', false, unwatched],
  ])('passes the release that runs and its alarms: %s', (_case, outputs, commit, ignoresAlarms, options) => {
    expect(optionsFor(outputs, commit, ignoresAlarms)).toEqual(options)
  })

  test('tells the options of the synthesis from those of the deployment', () => {
    const args = '-c stage=mainnet --context=retainLogs=true --profile ops --ignore-alarms --require-approval never'
    expect(givenIn(args.split(' '))).toEqual({
      context: ['stage=mainnet', 'retainLogs=true'],
      app: undefined,
      profile: 'ops',
      ignoresAlarms: true,
      others: ['--require-approval', 'never'],
    })
    expect(() => givenIn(['--app'])).toThrow('--app has no value')
  })

  test.each([['--tags', 'CostCenter=42'], ['--tags=CostCenter=42'], ['-t', 'CostCenter=42'], ['-tCostCenter=42']])(
    "refuses %s, which would replace the stack's tags, and names the setting",
    (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/deploy.ts', ...args], { encoding: 'utf8' })
      expect([status, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringMatching(/^\S+ would replace .*: use the setting tags\n$/),
      ])
    },
  )

  test.each(
    '--express --hotswap --hotswap-fallback=true --hotswapFallback --watch --no-rollback --rollback=false -R -fR --rollback-trigger-alarm-arns=none --monitoring-time-minutes'.split(
      ' ',
    ),
  )('refuses %s, with which alarms would not roll a bad release back', (option) => {
    expect(() => givenIn(['--require-approval', 'never', option])).toThrow(
      /^\S+ would decide whether alarms roll a bad release back: leave it out; .* with --ignore-alarms$/,
    )
  })

  test('says at once what it takes', () => {
    const { status, stdout } = spawnSync(process.execPath, ['tools/deploy.ts', '--help'], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, `${usage}\n`])
  })

  test('warns of a release that no commit gives again', () => {
    const warned = ['0123456789ab', '0123456789ab-dirty-ba9876543210', 'sources-ba9876543210'].map(unrepeatable)
    expect(warned).toEqual([
      undefined,
      expect.stringMatching(/^Warning: \S+-dirty-/),
      expect.stringMatching(/ sources-/),
    ])
  })

  test("gives the CDK the stack's tags, so that those of a cdk.json do not replace them", () => {
    expect(tagOptions({ stage: 'dev', CostCenter: 'a=b' })).toEqual(['--tags', 'stage=dev', '--tags', 'CostCenter=a=b'])
  })

  describe('of a folder that was synthesised', () => {
    const stack = { type: 'aws:cloudformation:stack', environment: 'aws://unknown-account/eu-west-1' }
    const artifacts = { 'chain-explorer-dev': { ...stack, properties: { templateFile: 'template.json' } } }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts }))
    writeFileSync(join(folder, 'template.json'), '{ "Outputs": { "Commit": { "Value": "0123456789ab" } } }')

    function deployed(path: string) {
      const args = ['tools/deploy.ts', '--app', folder, '--profile', 'ops']
      const cwd = join(import.meta.dirname, '../..')
      const env = { ...process.env, PATH: path }
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
      return [status, stderr]
    }

    test('deploys nothing where the running stack cannot be read', () => {
      const bin = join(folder, 'bin')
      mkdirSync(bin)
      writeFileSync(join(bin, 'aws'), '#!/bin/sh\necho "$@" >&2\nexit 255\n')
      chmodSync(join(bin, 'aws'), 0o755)
      expect(deployed([bin, process.env.PATH].join(delimiter))).toEqual([
        1,
        'The running stack chain-explorer-dev cannot be read, so nothing is deployed. The AWS CLI says:\n' +
          'cloudformation describe-stacks --stack-name chain-explorer-dev ' +
          '--query Stacks[0].{status:StackStatus,isProtected:EnableTerminationProtection,outputs:Outputs} ' +
          '--region eu-west-1 --output json --profile ops\n',
      ])
    })

    test('deploys nothing without the AWS CLI', () => {
      expect(deployed(join(folder, 'no-programs'))).toEqual([
        1,
        'The running stack chain-explorer-dev cannot be read, so nothing is deployed. ' +
          'Install the AWS CLI, or put aws on the PATH: spawnSync aws ENOENT\n',
      ])
    })
  })
})
