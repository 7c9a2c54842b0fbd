// npm run deploy with the real CDK, against a CloudFormation on loopback.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { temporaryFolder } from '../serving.ts'
import { startCloudFormation } from './cloudformation/server.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryFolder()

const bin = join(folder, 'bin')
mkdirSync(bin)
const cli = `#!${process.execPath}
fetch(process.env.AWS_ENDPOINT_URL + '/cli', { method: 'POST', body: JSON.stringify(process.argv.slice(2)) })
  .then((response) => response.json())
  .then(({ stdout, stderr }) => { if (stderr) { console.error(stderr); process.exitCode = 255 } else console.log(stdout) })
`
writeFileSync(join(bin, 'aws'), cli)
chmodSync(join(bin, 'aws'), 0o755)

const templates = new Map<string, ReturnType<typeof templateOf>>()

const alarm = 'arn:aws:cloudwatch:us-east-1:123456789012:alarm:Crashes'

/** Functions of GETs with these reserved executions. */
function templateOf(commit: string, reads: readonly number[]) {
  const functions = reads.map((executions, index) => {
    const properties = { Description: 'GET /summary: the tip', ReservedConcurrentExecutions: executions }
    return [`Read${index}`, { Type: 'AWS::Lambda::Function', Properties: properties }] as const
  })
  const outputs = { Commit: commit, Version: '1.0.0', RollbackAlarms: alarm }
  const parameter = { Type: 'String', Default: '' }
  return {
    Parameters: { PreviousVersionGiven: parameter, PreviousCommitGiven: parameter },
    Resources: Object.fromEntries(functions),
    Outputs: Object.fromEntries(Object.entries(outputs).map(([key, Value]) => [key, { Value }])),
  }
}

/** A folder as the CDK writes it, with one protected stack. */
function synthesised(commit: string, ...reads: readonly number[]): string {
  const path = join(folder, commit)
  mkdirSync(path, { recursive: true })
  const template = templateOf(commit, reads)
  templates.set(commit, template)
  const properties = { templateFile: 'template.json', stackName: 'chain-explorer-main', terminationProtection: true }
  const stack = { type: 'aws:cloudformation:stack', environment: 'aws://unknown-account/us-east-1', properties }
  writeFileSync(join(path, 'template.json'), JSON.stringify(template))
  writeFileSync(join(path, 'manifest.json'), JSON.stringify({ version: '36.0.0', artifacts: { main: stack } }))
  return path
}

let aws: Awaited<ReturnType<typeof startCloudFormation>> | undefined
afterEach(() => aws?.close())

/** The exit and the output of a program that asks this AWS alone. */
function run(variables: Record<string, string>, ...args: readonly string[]) {
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    AWS_ENDPOINT_URL: aws?.address,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_EC2_METADATA_DISABLED: 'true',
    // What the CDK remembers of accounts.
    CDK_HOME: join(folder, 'home'),
    CI: 'true',
    NO_COLOR: '1',
    ...variables,
  }
  return new Promise<{ exitCode: number; output: string }>((resolve) => {
    const program = execFile(process.execPath, args, { cwd: root, env }, (_error, stdout, stderr) =>
      resolve({ exitCode: program.exitCode ?? -1, output: `${stdout}${stderr}` }),
    )
  })
}

const deploy = (path: string, variables = {}, ...others: readonly string[]) =>
  run(variables, 'tools/deploy.ts', '--app', path, '--require-approval', 'never', ...others)

const destroy = (path: string) => run({}, 'node_modules/aws-cdk/bin/cdk', 'destroy', '--app', path, '--force')

describe('npm run deploy', () => {
  test('repeats a first deployment that failed, which termination protection would forbid, and protects the stack anew', async () => {
    aws = await startCloudFormation(1, templates)
    const path = synthesised('0123456789ab', 40)
    expect(await deploy(path)).toMatchObject({ exitCode: 1 })
    expect(await destroy(path)).toMatchObject({ output: expect.stringContaining('TerminationProtection is enabled') })
    const second = await deploy(path)
    expect(second).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(
        'The first deployment of chain-explorer-main failed (ROLLBACK_COMPLETE), so there is nothing to protect',
      ),
    })
    expect(aws.done).toEqual([
      ...['protection: true', 'create: ROLLBACK_COMPLETE, 0 alarms', 'delete: refused'],
      ...['protection: false', 'delete: DELETE_COMPLETE', 'protection: true', 'create: CREATE_COMPLETE, 0 alarms'],
    ])
  })

  test('never lifts the protection of a stack that runs, and a removal waits for its owner to lift it', async () => {
    aws = await startCloudFormation(0, templates)
    const path = synthesised('0123456789ab', 40)
    await deploy(path)
    expect(await deploy(synthesised('ba9876543210', 40))).toMatchObject({ exitCode: 0 })
    await destroy(path)
    await run(
      {},
      join(bin, 'aws'),
      ...`cloudformation update-termination-protection --stack-name chain-explorer-main`.split(' '),
    )
    expect(await destroy(path)).toMatchObject({ exitCode: 0 })
    expect(aws.done).toEqual([
      ...['protection: true', 'create: CREATE_COMPLETE, 0 alarms', 'update: UPDATE_COMPLETE, 1 alarms'],
      ...['delete: refused', 'protection: false', 'delete: DELETE_COMPLETE'],
    ])
  })

  test('hands CloudFormation the alarms whatever variables of the CDK say', async () => {
    aws = await startCloudFormation(0, templates)
    await deploy(synthesised('0123456789ab', 40))
    const shortcuts = { CDK_EXPRESS: 'true', CDK_HOTSWAP: 'true', CDK_ROLLBACK: 'false' }
    expect(await deploy(synthesised('ba9876543210', 40), shortcuts)).toMatchObject({ exitCode: 0 })
    expect(aws.done.at(-1)).toBe('update: UPDATE_COMPLETE, 1 alarms')
  })

  test('changes nothing for a release whose reserved executions do not fit beside those that run', async () => {
    aws = await startCloudFormation(0, templates)
    await deploy(synthesised('0123456789ab', 430, 430))
    const before = [...aws.done]
    expect(await deploy(synthesised('ba9876543210', 440, 40, 40))).toEqual({
      exitCode: 1,
      output:
        'chain-explorer-main in us-east-1 is not deployed: CloudFormation adds and raises before it deletes, so 910 executions would be reserved on the way, there or back, and the account has room for 900: first deploy this release with -c reservedConcurrency.reads=430.\n',
    })
    expect(aws.done).toEqual(before)
  })
})
