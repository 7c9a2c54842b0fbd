// npm run map-stack -- FILE: names the sources of a stack trace from the log, whose places are those of minified code.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { releaseOf } from '../infra/release.ts'
import { readStageSettings } from '../infra/settings/read.ts'
import { chosenStage } from '../infra/settings/stage-file.ts'
import { endpoints } from '../shared/endpoints/all.ts'
import { readLoggedStack } from './map-stack/logged-stack.ts'
import { mapStack, sourceMapOf } from './map-stack/mapping.ts'

const usage = `Usage: npm run map-stack -- [--endpoint NAME] [--commit COMMIT] [--stage STAGE] FILE
  FILE holds one log line, or a stack trace alone; - reads it from stdin. A log line knows the options itself.
  Endpoints: ${endpoints.map(({ name }) => name).join(', ')}`

/** Ends the program after wrong arguments. */
function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`)
  process.exit(2)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function readArguments() {
  const text = { type: 'string' } as const
  try {
    const { values, positionals } = parseArgs({
      options: { endpoint: text, commit: text, stage: text },
      allowPositionals: true,
    })
    const [file = refuse('No file given.')] = positionals
    return { ...readLoggedStack(readFileSync(file === '-' ? 0 : file, 'utf8')), ...values }
  } catch (error) {
    return refuse(reasonOf(error))
  }
}

async function lockedSupplyTableOf(stage: string): Promise<string> {
  const { file } = await chosenStage({ stage }, {})
  return readStageSettings(stage, file, {}, process.env).settings.lockedSupplyTable
}

const { stack, endpoint, commit, stage } = readArguments()
if (!endpoints.some(({ name }) => name === endpoint)) refuse(`Which endpoint? Got ${endpoint ?? 'none'}.`)
const checkedOut = releaseOf().commit
if (commit !== checkedOut) {
  const logged = commit === undefined ? 'The commit of the stack trace is not known' : `The stack trace is of ${commit}`
  console.error(`${logged}, and ${checkedOut} is checked out: the places below may be wrong.`)
}
try {
  const table = stage === undefined || endpoint !== 'getSummary' ? '' : await lockedSupplyTableOf(stage)
  console.log(mapStack(stack, await sourceMapOf(endpoint ?? '', table)))
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
}
