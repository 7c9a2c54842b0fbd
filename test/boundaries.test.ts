// Who may import whom, and that nobody imports in a circle. Type-only imports count.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '..')
const folders = ['shared', 'functions', 'infra', 'config', 'local', 'doctor', 'tools', 'bench']

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.m?ts$/.test(file) && !file.endsWith('.d.ts')),
)

/** What a file imports: project files by path from the root, packages and node modules by name. */
function importsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const specifiers = [
    ...source.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gms),
  ]
  return specifiers.map(([, from, dynamic, bare]) => {
    const specifier = from ?? dynamic ?? bare ?? ''
    return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
  })
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

interface Rule {
  readonly files: RegExp
  /** Everything that such a file may import, the file itself aside. */
  readonly may: RegExp
}

/** The first rule that fits a file decides. */
const rules: readonly Rule[] = [
  { files: /^shared\/contract\//, may: /^(?:shared\/contract\/|typebox$)/ },
  {
    files: /^shared\/mapping\/base58check\.ts$/,
    may: /^@noble\/hashes\//,
  },
  { files: /^shared\/mapping\//, may: /^shared\/(?:contract|mapping)\/|^shared\/(?:errors|json)\.ts$/ },
  { files: /^shared\/endpoints\/all\.ts$/, may: /^shared\// },
  { files: /^shared\/endpoints\//, may: /^shared\/(?!endpoints\/)/ },
  { files: /^shared\//, may: /^shared\/(?!endpoints\/)/ },
  {
    files: /^functions\/runtime\/xml-body\.ts$/,
    may: /^(?:shared\/errors\.ts|fast-xml-parser)$/,
  },
  {
    files: /^functions\/runtime\//,
    may: /^(?:functions\/runtime\/|shared\/(?:deployment-names|endpoint|errors|header-setting|json|metrics)\.ts$|node:|@middy\/|graphql-request$|aws-lambda$|ajv$)/,
  },
  { files: /^functions\//, may: /^(?:functions\/runtime\/|shared\/endpoints\/)/ },
  { files: /^infra\//, may: /^(?:infra\/|shared\/|node:|aws-cdk-lib|constructs$|esbuild$)/ },
  { files: /^config\//, may: /^infra\/settings\.ts$/ },
  { files: /^local\//, may: /^(?:local\/|shared\/|functions\/runtime\/|node:|[@a-z])/ },
  { files: /^doctor\//, may: /^(?:doctor\/|shared\/|functions\/runtime\/|node:|[@a-z][^/]*$|ajv\/)/ },
  { files: /^tools\//, may: /^(?:tools\/|shared\/|node:|[@a-z][^/]*$|ajv\/)/ },
  { files: /^bench\//, may: /^(?:bench\/|local\/|shared\/|node:|[@a-z])/ },
]

describe('imports', () => {
  test.each(files)('%s imports only what its folder may', (file) => {
    const rule = rules.find((candidate) => candidate.files.test(file))
    const forbidden = graph.get(file)?.filter((imported) => !rule?.may.test(imported))
    expect(forbidden).toEqual([])
  })

  test('of local and bench stay out of infra, and nobody imports tests, local or bench from what ships', () => {
    const crossing = files.flatMap((file) =>
      (graph.get(file) ?? [])
        .filter((imported) =>
          /^(?:shared|functions|infra|config)\//.test(file)
            ? /^(?:local|bench|test)\//.test(imported)
            : /^(?:infra|test)\//.test(imported),
        )
        .map((imported) => `${file} -> ${imported}`),
    )
    expect(crossing).toEqual([])
  })

  test('of a function are its own endpoint and the runtime', () => {
    const functions = files.filter((file) => /^functions\/[^/]+\.ts$/.test(file))
    expect(functions).toHaveLength(6)
    for (const file of functions) {
      const own = file.replace('functions/', 'shared/endpoints/')
      expect(graph.get(file)?.filter((imported) => imported.startsWith('shared/'))).toEqual([own])
    }
  })

  test('of the contract from npm are types only', () => {
    const values = files
      .filter((file) => file.startsWith('shared/contract/'))
      .filter((file) => /^import (?!type )[^\n]*from '[^.]/m.test(readFileSync(join(root, file), 'utf8')))
    expect(values).toEqual([])
  })

  test('make no circle', () => {
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      else if (!done.has(file)) {
        for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
        done.add(file)
      }
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })
})

test('what ships opens no connection through the built-in fetch, which some answers end the process by', () => {
  const shipped = files.filter((file) => /^(?:shared|functions)\//.test(file))
  expect(shipped.filter((file) => /(?<![\w.])fetch\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
