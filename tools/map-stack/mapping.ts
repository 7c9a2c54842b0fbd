// From places in a bundle to places in the sources.
import { SourceMap } from 'node:module'
import { build } from 'esbuild'
import { buildConstants, entryFile, functionBuild } from '../../infra/api/bundling.ts'
import { fileNameOf } from '../../shared/http/routes.ts'

/** A frame in a function's bundle, which Lambda runs as `/var/task/index.mjs`. Its function has a minified name. */
const bundleFrame = /at (?:async )?(?:[^\n(]+ \()?(?:file:\/\/)?\/\S*?index\.mjs:(\d+):(\d+)\)?/g

/**
 * Bundles a function as it is deployed, for the map from its code to the checked-out sources.
 *
 * @param lockedSupplyTable of the stage: it is part of the code of the summary
 */
export async function sourceMapOf(endpoint: string, lockedSupplyTable: string): Promise<SourceMap> {
  const { outputFiles } = await build({
    ...functionBuild(`functions/${fileNameOf(endpoint)}.ts`, '.'),
    define: buildConstants(lockedSupplyTable),
    // Writes no link to the map into the code, which so is the deployed code.
    sourcemap: 'external',
    sourcesContent: false,
    write: false,
  })
  const map = outputFiles.find(({ path }) => path.endsWith(`${entryFile}.map`))
  if (map === undefined) throw new Error(`${endpoint} has no source map.`)
  return new SourceMap(JSON.parse(map.text))
}

/** The stack trace with a source file, line and column for each place in the bundle; other frames are unchanged. */
export const mapStack = (stack: string, map: SourceMap): string =>
  stack.replace(bundleFrame, (frame: string, line: string, column: string) => {
    const origin = map.findEntry(Number(line) - 1, Number(column) - 1)
    return 'originalSource' in origin
      ? `at ${origin.originalSource}:${origin.originalLine + 1}:${origin.originalColumn + 1}`
      : frame
  })
