// npm run check:operations -- --schema FILE: validates the service's operations against an upstream's schema.
import { checkOperations } from './check-operations/check.ts'

const { exitCode, out, err } = checkOperations(process.argv.slice(2))
for (const line of out) console.log(line)
for (const line of err) console.error(line)
process.exitCode = exitCode
