// The packages of others that have code in what is deployed, as esbuild reports it: in the functions, in CloudFront's
// function, and in the validators, which are compiled with parts of their compiler.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../infra/api/bundling.ts'
import { projectRoot } from '../../infra/project-root.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { compiledValidators } from './validators.ts'

/** A package of others. */
export interface PackageInUse {
  /** From the project's root. */
  readonly folder: string
  /** The deployed programs that hold code of it, by their entry points, sorted. */
  readonly usedIn: readonly string[]
}

type Output = Metafile['outputs'][string]

/** @returns the folders of the packages with code in an output; what was shaken out is not there */
const foldersIn = ({ inputs }: Output): readonly string[] =>
  Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    return folder === undefined || bytesInOutput === 0 ? [] : [folder]
  })

/** The parts of its compiler that each validator holds, by the validator's path. */
async function validatorFolders(): Promise<ReadonlyMap<string, readonly string[]>> {
  const validators = await compiledValidators(endpoints)
  return new Map(Array.from(validators, ([path, { outputs }]) => [path, Object.values(outputs).flatMap(foldersIn)]))
}

/** Bundles every program that is deployed. @returns the packages in them, sorted by folder */
export async function packagesInUse(): Promise<readonly PackageInUse[]> {
  const functions = readdirSync(join(projectRoot, 'functions')).filter((file) => file.endsWith('.ts'))
  const { metafile } = await build({
    ...esbuildOptions,
    define: buildConstants(''),
    entryPoints: [...functions.map((file) => `functions/${file}`), 'infra/edge/viewer-request.ts'],
    outdir: 'cdk.out',
    metafile: true,
    write: false,
  })
  const validators = await validatorFolders()
  const uses = Object.values(metafile.outputs).flatMap((output) => {
    const { entryPoint = '', inputs } = output
    const ofValidators = Object.keys(inputs).flatMap((path) => validators.get(path) ?? [])
    return [...new Set([...foldersIn(output), ...ofValidators])].map((folder) => ({ folder, entryPoint }))
  })
  return Array.from(
    Map.groupBy(uses, ({ folder }) => folder),
    ([folder, users]) => ({
      folder,
      usedIn: users.map(({ entryPoint }) => entryPoint).sort(),
    }),
  ).sort((left, right) => (left.folder < right.folder ? -1 : 1))
}
