// Compiles each endpoint's request schema to a module without dependencies, so that no schema compiler ships.
import { join } from 'node:path'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build, type Metafile } from 'esbuild'
import { parametersOf, pathParameters } from '../../shared/contract/parameters.ts'
import { contracts, type DeclaredEndpoint as Endpoint } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { sharedSchema } from './shared-schema.ts'

const notice = '// Generated from shared/contract by npm run generate.\n'

const declaration = `${notice}import type { CompiledSchema } from '../request-check.ts'

declare const validate: CompiledSchema
export default validate
`

const parameters = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})

/** The schema of an API Gateway event whose body is already parsed. The options of a query are read by their endpoint's declaration. */
function eventSchema({ name, path }: Endpoint): object {
  const { body } = contracts[name].request ?? {}
  const inPath = parametersOf(path)
  // The words of a parameter are for people.
  const checked = Object.fromEntries(inPath.map((parameter) => [parameter, { type: pathParameters[parameter].type }]))
  const properties = {
    ...(inPath.length > 0 && { pathParameters: parameters(checked, inPath) }),
    ...(body && { body }),
  }
  const required = Object.keys(properties)
  return { type: 'object', properties, required }
}

/** Code that ajv writes for custom keywords and for callers that inspect the schema. We have neither. */
const unused = /schemaPath:"[^"]*",|,\s*parentData(?::\w+)?,\s*parentDataProperty(?::"\w+")?,\s*rootData(?:=data)?/g

/** An error that joins the others, in four statements of ajv. */
const added = /const (err\d*) = (.*?);if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}/g

/** The errors of an inner schema that join the others. */
const joined = /vErrors === null \? (\w+\.errors) : vErrors\.concat\(\1\)/g

/** Lists that ajv's code takes from the schema, so that the bundle needs no copy of the whole schema beside the code. */
const requiredList = /\bschema\d+((?:\.\w+)+\.required)\b/g

const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => Object(inner)[key], value)

interface CompiledValidator {
  readonly text: string
  /** With what it holds of its compiler. */
  readonly outputs: Metafile['outputs']
}

async function compiled(schema: object): Promise<CompiledValidator> {
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    inlineRefs: false,
    // A loop is less code than a condition for each field.
    loopRequired: 3,
    messages: false,
    code: { source: true, esm: true },
  })
  const shared = sharedSchema(schema)
  const code = standalone
    .default(ajv, ajv.compile(shared))
    .replace(unused, '')
    .replace(added, '(vErrors ??= []).push($2);')
    .replace(joined, '(vErrors ?? []).concat($1)')
    .replace(requiredList, (_code, path: string) => JSON.stringify(valueAt(shared, path.slice(1).split('.'))))
  // ajv's output still imports functions of ajv.
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    minify: true,
    metafile: true,
    write: false,
  })
  return { text: notice + (outputFiles[0]?.text ?? ''), outputs: metafile.outputs }
}

/** @returns the validator of each endpoint's request by its path from the project's root */
export async function compiledValidators(
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, CompiledValidator>> {
  const validators = new Map<string, CompiledValidator>()
  for (const endpoint of endpoints)
    validators.set(
      `functions/runtime/validators/${fileNameOf(endpoint.name)}.js`,
      await compiled(eventSchema(endpoint)),
    )
  return validators
}

/** @returns path from the project's root to text: a module and its declaration for each endpoint */
export async function validatorFiles(endpoints: readonly Endpoint[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const [path, { text }] of await compiledValidators(endpoints)) {
    files.set(path, text)
    files.set(path.replace(/\.js$/, '.d.ts'), declaration)
  }
  return files
}
