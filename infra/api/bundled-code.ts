import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { AssetHashType, DockerImage } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { buildSync } from 'esbuild'
import { projectRoot } from '../project-root.ts'
import { functionBuild, noticesFile } from './bundling.ts'

const functions = join(projectRoot, 'functions')

/**
 * A function bundled when its stack is synthesised, with the notices of the packages in it beside.
 *
 * @param file in `functions/`, without its ending
 * @param define as from `buildConstants`
 * @param addFiles adds the files that the function reads from the folder of its bundle
 * @param madeFor what these files depend on beside the project
 * @throws Error with esbuild's message if the file cannot be bundled, or that its validator is missing
 */
export function bundledCode(
  file: string,
  define: Readonly<Record<string, string>>,
  addFiles: (folder: string) => void = () => undefined,
  madeFor = '',
): Code {
  const tryBundle = (folder: string) => {
    try {
      buildSync({ ...functionBuild(join(functions, `${file}.ts`), folder), define })
    } catch (error) {
      if (!String(error).includes('/validators/')) throw error
      throw new Error(`The validator of functions/${file}.ts is missing: run npm run generate`, { cause: error })
    }
    copyFileSync(join(projectRoot, noticesFile), join(folder, noticesFile))
    addFiles(folder)
    return true
  }
  return Code.fromAsset(functions, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      local: { tryBundle },
      // Never run: local bundling succeeds or throws. The CDK treats assets with equal options as one, so these differ.
      image: DockerImage.fromRegistry('none'),
      command: [file, JSON.stringify(define), madeFor],
    },
  })
}
