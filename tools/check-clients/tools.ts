// The generators of clients that are checked: how each makes its client, compiles it, and runs the driver of its language.
import { join } from 'node:path'

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
}

/** Where a tool works. */
export interface Places {
  /** Empty at the start. */
  readonly folder: string
  /** The OpenAPI document. */
  readonly document: string
  /** The drivers in each language. */
  readonly drivers: string
}

export interface ClientTool {
  readonly name: string
  readonly version: string
  /** Programs of the machine without which it is not run. */
  readonly needs: readonly string[]
  /** Generates and compiles, in this order. */
  make(places: Places): readonly Command[]
  /** Asks the service; both arguments of the driver follow. */
  drive(places: Places): Command
  /** False where the language itself reads JSON numbers as doubles. */
  readonly keepsDigits: boolean
}

const generatorVersion = '7.25.0'
const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const generatorJar = (folder: string) => join(folder, `openapi-generator-cli-${generatorVersion}.jar`)

const run = (program: string, args: readonly string[], cwd?: string): Command => ({
  program,
  args,
  ...(cwd !== undefined && { cwd }),
})

const copy = (from: string, to: string): Command => run('cp', [from, to])

const generate = ({ folder, document }: Places, language: string, options: string): readonly Command[] => [
  run('mvn', [
    ...['-q', `${dependencyPlugin}:copy`, `-DoutputDirectory=${folder}`],
    `-Dartifact=org.openapitools:openapi-generator-cli:${generatorVersion}`,
  ]),
  run('java', [
    ...['-jar', generatorJar(folder), 'generate', '-i', document, '-g', language],
    ...['-o', join(folder, 'client'), `--additional-properties=${options}`],
  ]),
]

const openApiGenerator = {
  version: generatorVersion,
  keepsDigits: true,
} as const

const javaClasses = ({ folder }: Places) =>
  ['classes', 'dependency/*'].map((part) => join(folder, 'client/target', part)).join(':')

const python = (folder: string) => join(folder, 'venv/bin/python')

export const clientTools: readonly ClientTool[] = [
  {
    ...openApiGenerator,
    name: 'openapi-generator python',
    needs: ['java', 'mvn', 'python3'],
    make: (places) => [
      ...generate(places, 'python', 'packageName=explorer'),
      run('python3', ['-m', 'venv', join(places.folder, 'venv')]),
      run(python(places.folder), ['-m', 'pip', 'install', '-q', join(places.folder, 'client')]),
    ],
    drive: ({ folder, drivers }) => run(python(folder), [join(drivers, 'python.py')]),
  },
  {
    ...openApiGenerator,
    name: 'openapi-generator go',
    needs: ['java', 'mvn', 'go'],
    make: (places) => {
      const client = join(places.folder, 'client')
      return [
        ...generate(places, 'go', 'packageName=explorer,withGoMod=true'),
        run('mkdir', [join(client, 'driver')]),
        copy(join(places.drivers, 'go.go'), join(client, 'driver/main.go')),
        run('go', ['build', '-o', join(places.folder, 'driver'), './driver'], client),
      ]
    },
    drive: ({ folder }) => run(join(folder, 'driver'), []),
  },
  {
    ...openApiGenerator,
    name: 'openapi-generator java (okhttp-gson)',
    needs: ['java', 'javac', 'mvn'],
    make: (places) => [
      ...generate(places, 'java', 'library=okhttp-gson'),
      run('mvn', ['-q', 'compile', `${dependencyPlugin}:copy-dependencies`], join(places.folder, 'client')),
      run('javac', ['-cp', javaClasses(places), '-d', places.folder, join(places.drivers, 'Driver.java')]),
    ],
    drive: (places) => run('java', ['-cp', `${javaClasses(places)}:${places.folder}`, 'Driver']),
  },
  {
    ...openApiGenerator,
    name: 'openapi-generator rust',
    needs: ['java', 'mvn', 'cargo'],
    make: (places) => {
      const driver = join(places.folder, 'driver')
      return [
        ...generate(places, 'rust', 'packageName=explorer'),
        run('cargo', ['init', '-q', '--vcs', 'none', '--name', 'driver', driver]),
        // The service on a laptop speaks plain HTTP, so the client needs no TLS.
        run('cargo', ['add', '-q', '--path', join(places.folder, 'client'), '--no-default-features'], driver),
        run('cargo', ['add', '-q', 'serde_json@1'], driver),
        run('cargo', ['add', '-q', 'tokio@1', '--features', 'macros,rt'], driver),
        copy(join(places.drivers, 'rust.rs'), join(driver, 'src/main.rs')),
        run('cargo', ['build', '-q'], driver),
      ]
    },
    drive: ({ folder }) => run(join(folder, 'driver/target/debug/driver'), []),
  },
  {
    ...openApiGenerator,
    name: 'openapi-generator typescript-fetch',
    needs: ['java', 'mvn'],
    keepsDigits: false,
    make: (places) => [
      ...generate(places, 'typescript-fetch', 'npmName=explorer,importFileExtension=.ts'),
      copy(join(places.drivers, 'typescript-fetch.ts'), join(places.folder, 'driver.mts')),
      run('npx', [
        ...[
          'tsc',
          '--ignoreConfig',
          '--strict',
          '--noEmit',
          '--skipLibCheck',
          '--target',
          'es2022',
          '--module',
          'nodenext',
        ],
        ...['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', 'node_modules/@types'],
        join(places.folder, 'driver.mts'),
      ]),
      run('npx', [
        ...['esbuild', join(places.folder, 'driver.mts'), '--bundle', '--platform=node', '--format=esm'],
        `--outfile=${join(places.folder, 'driver.mjs')}`,
        '--log-level=error',
      ]),
    ],
    drive: ({ folder }) => run('node', [join(folder, 'driver.mjs')]),
  },
  {
    name: 'oapi-codegen',
    version: 'v2.8.2',
    keepsDigits: true,
    needs: ['go'],
    make: ({ folder, document, drivers }) => [
      run('mkdir', ['-p', join(folder, 'explorer')]),
      run('go', [
        ...['run', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2', '-generate', 'types,client'],
        ...['-package', 'explorer', '-o', join(folder, 'explorer/explorer.go'), document],
      ]),
      copy(join(drivers, 'oapi-codegen.go'), join(folder, 'main.go')),
      run('go', ['mod', 'init', 'check'], folder),
      run('go', ['mod', 'tidy'], folder),
      run('go', ['build', '-o', 'driver', '.'], folder),
    ],
    drive: ({ folder }) => run(join(folder, 'driver'), []),
  },
  {
    name: 'openapi-python-client',
    version: '0.29.1',
    keepsDigits: true,
    needs: ['python3'],
    make: ({ folder, document }) => [
      run('python3', ['-m', 'venv', join(folder, 'venv')]),
      run(python(folder), ['-m', 'pip', 'install', '-q', 'openapi-python-client==0.29.1']),
      run(join(folder, 'venv/bin/openapi-python-client'), [
        ...['generate', '--path', document, '--output-path', join(folder, 'client'), '--meta', 'setup'],
      ]),
      run(python(folder), ['-m', 'pip', 'install', '-q', join(folder, 'client')]),
    ],
    drive: ({ folder, drivers }) => run(python(folder), [join(drivers, 'openapi-python-client.py')]),
  },
]
