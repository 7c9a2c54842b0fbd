// The notices of the software of others that the functions' bundles hold.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { buildConstants, esbuildOptions, noticesFile } from '../../infra/api/bundling.ts'
import { projectRoot } from '../../infra/project-root.ts'
import { type ShippedPackage, shippedPackage } from './licence-text.ts'

/** @returns the folders of the packages with code in the outputs; what was shaken out is not there */
function packageFolders(metafile: Metafile): readonly string[] {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs.flatMap(([path, { bytesInOutput }]) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    return folder === undefined || bytesInOutput === 0 ? [] : [folder]
  })
}

const ruler = '-'.repeat(80)

const section = (packages: readonly ShippedPackage[]): string =>
  `${packages.map(({ name, licence }) => `${name}, ${licence}`).join('\n')}\n\n${packages[0]?.text}\n`

/**
 * The text of the notices: each package with version and licence, above the licence's text.
 *
 * @param metafiles of all functions' bundles
 */
export function noticesText(metafiles: readonly Metafile[]): string {
  const folders = [...new Set(metafiles.flatMap(packageFolders))].sort()
  const packages = folders.map((folder) => shippedPackage(join(projectRoot, folder)))
  const byText = Map.groupBy(packages, ({ text }) => text)
  return [
    'Software of others in the functions of this service. Written by npm run generate.\n',
    ...Array.from(byText.values(), section),
  ].join(`\n${ruler}\n\n`)
}

/**
 * Bundles every function to see what is in it.
 *
 * @returns a path and its text
 */
export async function noticesOfFunctions(): Promise<readonly [path: string, text: string]> {
  const files = readdirSync(join(projectRoot, 'functions')).filter((file) => file.endsWith('.ts'))
  const { metafile } = await build({
    ...esbuildOptions,
    define: buildConstants(''),
    entryPoints: files.map((file) => `functions/${file}`),
    outdir: 'cdk.out',
    metafile: true,
    write: false,
  })
  return [noticesFile, noticesText([metafile])]
}
