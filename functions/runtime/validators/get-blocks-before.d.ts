// Generated from shared/contract by npm run generate.
import type { CompiledSchema } from '../request-check.ts'

declare const validate: CompiledSchema
export default validate
