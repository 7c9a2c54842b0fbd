// Runs the CDK app in its own process, as the CDK's command line does, and reads its output.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../infra/project-root.ts'
import { functionsByRoute } from './route-functions.ts'
import { stackTemplate } from './stack-template.ts'

/**
 * The exit of the app and its output, with the project's cdk.json.
 *
 * @param folder where the assembly is written
 * @param context as after `-c`
 */
export function synthesise(folder: string, context: Readonly<Record<string, string>>) {
  const cdkJson = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8'))
  const ambient = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK|EXPLORER)_/.test(name))
  const env = {
    ...Object.fromEntries(ambient),
    CDK_OUTDIR: folder,
    // The CDK's own rules take seconds to load; the test of the findings checks them.
    CDK_VALIDATION: 'false',
    CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context }),
  }
  return new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
    const app = execFile(process.execPath, ['infra/app.ts'], { cwd: projectRoot, env }, (_error, stdout, stderr) =>
      resolve({ exitCode: app.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** The folder with the bundle of the function behind each route (`GET /blocks`) of a stack in an assembly. */
export function bundleFolders(folder: string, stack: string): Record<string, string> {
  const { files } = JSON.parse(readFileSync(join(folder, `${stack}.assets.json`), 'utf8'))
  const template = stackTemplate(JSON.parse(readFileSync(join(folder, `${stack}.template.json`), 'utf8')))
  const folders = Object.entries(functionsByRoute(template)).map(([route, { properties }]) => {
    const asset = files[properties.Code.S3Key.replace('.zip', '')]
    return [route, join(folder, asset.source.path)]
  })
  return Object.fromEntries(folders)
}
