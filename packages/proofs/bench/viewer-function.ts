// npm run bench -- viewer-function: the time that the viewer function takes in njs, from which CloudFront's runtime derives,
// as multiples of GET /summary. Needs `njs` (a package of Debian). Fails above six times.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { synthesise } from '../../../tools/synthesise.ts'
import { viewerRequest } from '../viewer-request.ts'
import { costlyTargets } from './viewer-function/costly-targets.ts'

const maxRatio = 6
const calls = 3000

const { Resources: resources } = await synthesise('devnet')
const [code = ''] = Object.values(resources).flatMap(({ Type, Properties }) =>
  Type === 'AWS::CloudFront::Function' ? (Properties as { readonly FunctionCode: string }).FunctionCode : [],
)

const folder = mkdtempSync(join(tmpdir(), 'viewer-function-'))

/** Milliseconds of processor time for one call; the same request each time, since its parsing is not the function's. */
function millisecondsOf(target: string): number {
  const script = join(folder, 'calls.js')
  const run = (count: number) => {
    writeFileSync(
      script,
      `${code}
var request = ${JSON.stringify(viewerRequest('GET', target))}, uri = request.uri, querystring = request.querystring
for (var call = 0; call < ${count}; call += 1) { request.uri = uri; request.querystring = querystring; handler({ request }) }`,
    )
    const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time njs "$0"', script], { encoding: 'utf8' })
    if (!/^[\d.]+\n$/.test(stderr)) throw new Error(`njs: ${stderr}`)
    return Number(stderr)
  }
  return ((run(calls) - run(1)) * 1000) / calls
}

try {
  const ordinary = millisecondsOf('/summary')
  console.log(`${ordinary.toFixed(3)} ms for /summary`)
  const ratios = Object.entries(costlyTargets).map(([name, target]) => {
    const ratio = millisecondsOf(target) / ordinary
    console.log(`${ratio.toFixed(1).padStart(5)} times as long for ${name}`)
    return ratio
  })
  if (Math.max(...ratios) > maxRatio) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
