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

/** A program by its name, or a package of a language with a shell command that succeeds where it is installed. */
export type Need = string | { readonly name: string; readonly probe: string }

export interface ClientTool {
  readonly name: string
  readonly version: string
  /** Needed on the machine; without it the tool is not run, and the table says so. */
  readonly needs: readonly Need[]
  /** Generates and compiles, in this order. */
  make(places: Places): readonly Command[]
  /** Asks the service; both arguments of the driver follow. */
  drive(places: Places): Command
  /** False where the language itself reads JSON numbers as doubles. */
  readonly keepsDigits: boolean
  /** What its driver reads beside the answers that every driver reads. */
  readonly alsoReads?: readonly string[]
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

const copyGo = ({ drivers }: Pick<Places, 'drivers'>, driver: string, to: string): Command =>
  run('cp', [join(drivers, 'asking.go'), join(drivers, driver), to])

const generate = (
  { folder, document }: Places,
  language: string,
  options: string,
  more: readonly string[] = [],
): readonly Command[] => [
  run('mvn', [
    ...['-q', `${dependencyPlugin}:copy`, `-DoutputDirectory=${folder}`],
    `-Dartifact=org.openapitools:openapi-generator-cli:${generatorVersion}`,
  ]),
  run('java', [
    ...['-jar', generatorJar(folder), 'generate', '-i', document, '-g', language],
    ...['-o', join(folder, 'client'), `--additional-properties=${options}`, ...more],
  ]),
]

const openApiGenerator = {
  version: generatorVersion,
  keepsDigits: true,
} as const

const javaClasses = ({ folder }: Places) =>
  ['classes', 'dependency/*'].map((part) => join(folder, 'client/target', part)).join(':')

/** The driver is one file, or one of all libraries beside what is a library's own. */
const javaClient = (library: string, ...driver: readonly string[]): ClientTool => ({
  ...openApiGenerator,
  name: `openapi-generator java (${library})`,
  needs: ['java', 'javac', 'mvn'],
  make: (places) => [
    ...generate(places, 'java', `library=${library}`),
    run('mvn', ['-q', 'compile', `${dependencyPlugin}:copy-dependencies`], join(places.folder, 'client')),
    run('javac', [
      ...['-cp', javaClasses(places), '-d', places.folder],
      ...driver.map((file) => join(places.drivers, 'java', file)),
    ]),
  ],
  drive: (places) => run('java', ['-cp', `${javaClasses(places)}:${places.folder}`, 'Driver']),
})

const kotlinClient = (library: 'moshi' | 'gson'): ClientTool => ({
  ...openApiGenerator,
  name: `openapi-generator kotlin (${library})`,
  needs: ['java', 'mvn'],
  make: (places) => {
    const client = join(places.folder, 'client')
    const sources = join(client, 'src/main/kotlin')
    const kotlin = (file: string) => join(places.drivers, 'kotlin', file)
    return [
      ...generate(places, 'kotlin', `packageName=explorer,serializationLibrary=${library}`),
      copy(kotlin('pom.xml'), join(client, 'pom.xml')),
      copy(kotlin('Driver.kt'), join(sources, 'Driver.kt')),
      copy(kotlin(`${library}.kt`), join(sources, 'Reading.kt')),
      run('mvn', ['-q', 'compile', `${dependencyPlugin}:copy-dependencies`], client),
    ]
  },
  drive: (places) => run('java', ['-cp', javaClasses(places), 'DriverKt']),
})

const compilerOptions = [
  ...['--ignoreConfig', '--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'],
  ...['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--types', 'node'],
  ...['--typeRoots', 'node_modules/@types'],
]

/** Compiles a driver in TypeScript with the client beside it, and puts both into one file. */
const compileTypeScript = ({ folder, drivers }: Places, driver: string): readonly Command[] => [
  copy(join(drivers, 'asking.ts'), join(folder, 'asking.ts')),
  copy(join(drivers, `${driver}.ts`), join(folder, 'driver.mts')),
  run('npx', ['tsc', ...compilerOptions, join(folder, 'driver.mts')]),
  run('npx', [
    ...['esbuild', join(folder, 'driver.mts'), '--bundle', '--platform=node', '--format=esm', '--log-level=error'],
    `--outfile=${join(folder, 'driver.mjs')}`,
    // A package's own `require` of a part of Node stays one.
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
  ]),
]

const npmInstall = ({ folder }: Places, packages: readonly string[]): readonly Command[] => [
  run('npm', ['init', '-y'], folder),
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder),
]

const installed = ({ folder }: Places, program: string, args: readonly string[]): Command =>
  run(join(folder, 'node_modules/.bin', program), args, folder)

/** A generator from npm whose client is in TypeScript. */
const npmClient = (
  name: string,
  version: string,
  packages: readonly string[],
  generateWith: (places: Places, client: string) => readonly Command[],
): ClientTool => ({
  name,
  version,
  keepsDigits: false,
  needs: ['npm'],
  make: (places) => [
    ...npmInstall(places, packages),
    ...generateWith(places, join(places.folder, 'client')),
    ...compileTypeScript(places, name.replace(/^@/, '').replace(/\/openapi-ts$/, '')),
  ],
  drive: ({ folder }) => run('node', [join(folder, 'driver.mjs')]),
})

/** A client of openapi-generator for Node, with the packages that it requires. */
const scriptClient = (language: string, options: string, packages: readonly string[]): ClientTool => ({
  ...openApiGenerator,
  name: `openapi-generator ${language}`,
  needs: ['java', 'mvn', 'npm'],
  keepsDigits: false,
  make: (places) => [
    ...generate(places, language, options),
    ...npmInstall(places, packages),
    ...compileTypeScript(places, language),
  ],
  drive: ({ folder }) => run('node', [join(folder, 'driver.mjs')]),
})

const kubbVersion = '4.39.3'

const ogenVersion = 'v1.24.0'

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
        copyGo(places, 'go.go', join(client, 'driver')),
        run('go', ['build', '-o', join(places.folder, 'driver'), './driver'], client),
      ]
    },
    drive: ({ folder }) => run(join(folder, 'driver'), []),
  },
  javaClient('okhttp-gson', 'okhttp-gson/Driver.java'),
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
  scriptClient('typescript-fetch', 'npmName=explorer,importFileExtension=.ts', []),
  kotlinClient('moshi'),
  kotlinClient('gson'),
  javaClient('native', 'Driver.java', 'native/Library.java'),
  javaClient('resttemplate', 'Driver.java', 'spring/Library.java'),
  javaClient('restclient', 'Driver.java', 'spring/Library.java'),
  javaClient('webclient', 'Driver.java', 'webclient/Library.java'),
  scriptClient('typescript', 'platform=node,npmName=explorer', [
    'undici@7',
    'form-data@4',
    'es6-promise@4',
    '@types/node@24',
  ]),
  scriptClient('typescript-node', 'npmName=explorer', [
    ...['request@2', 'bluebird@3', '@types/request@2', '@types/bluebird@3', '@types/node@24'],
  ]),
  scriptClient('typescript-axios', 'npmName=explorer', ['axios@1']),
  scriptClient('javascript', 'projectName=explorer,usePromises=true', ['superagent@5']),
  {
    ...openApiGenerator,
    name: 'openapi-generator php',
    needs: [
      ...['java', 'mvn', 'php'],
      { name: "PHP's Guzzle", probe: `php -r 'exit((@include "GuzzleHttp/autoload.php") ? 0 : 1);'` },
    ],
    make: (places) => [
      ...generate(places, 'php', 'invokerPackage=Explorer'),
      run('sh', ['-c', `find lib -name '*.php' | xargs -n 1 php -l`], join(places.folder, 'client')),
    ],
    drive: ({ folder, drivers }) => run('php', [join(drivers, 'php.php'), join(folder, 'client')]),
  },
  {
    ...openApiGenerator,
    name: 'openapi-generator ruby',
    needs: ['java', 'mvn', 'ruby', { name: "Ruby's typhoeus", probe: 'ruby -e "require %q(typhoeus)"' }],
    make: (places) => [
      ...generate(places, 'ruby', 'gemName=explorer', ['--name-mappings', 'hash=hash_text']),
      run('sh', ['-c', `find lib -name '*.rb' | xargs -n 1 ruby -c`], join(places.folder, 'client')),
    ],
    drive: ({ folder, drivers }) => run('ruby', ['-I', join(folder, 'client/lib'), join(drivers, 'ruby.rb')]),
  },
  npmClient(
    'openapi-fetch',
    '0.17.0',
    ['openapi-fetch@0.17.0', 'openapi-typescript@7.13.0', 'typescript@5.9.3'],
    (places, client) => [installed(places, 'openapi-typescript', [places.document, '-o', join(client, 'schema.ts')])],
  ),
  npmClient('@hey-api/openapi-ts', '0.99.0', ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'], (places, client) => [
    installed(places, 'openapi-ts', ['-i', places.document, '-o', client]),
  ]),
  npmClient('orval', '8.38.0', ['orval@8.38.0', 'typescript@5.9.3'], (places, client) => [
    installed(places, 'orval', [
      ...['--input', places.document, '--output', join(client, 'api.ts'), '--client', 'fetch'],
    ]),
  ]),
  npmClient(
    'orval-mcp',
    '8.38.0',
    ['orval@8.38.0', 'typescript@5.9.3', 'zod@4.6.7', '@modelcontextprotocol/sdk@1.32.2'],
    (places, client) => [
      copy(places.document, join(places.folder, 'openapi.json')),
      copy(join(places.drivers, 'orval-mcp.config.ts'), join(places.folder, 'orval.config.ts')),
      installed(places, 'orval', []),
      run('npx', [
        ...['esbuild', join(client, 'server.ts'), '--bundle', '--platform=node', '--format=esm', '--log-level=error'],
        `--outfile=${join(places.folder, 'server.mjs')}`,
      ]),
    ],
  ),
  npmClient(
    'swagger-typescript-api',
    '13.13.0',
    ['swagger-typescript-api@13.13.0', 'typescript@5.9.3'],
    (places, client) => [
      installed(places, 'swagger-typescript-api', ['generate', '-p', places.document, '-o', client, '-n', 'api.ts']),
    ],
  ),
  npmClient(
    'kubb',
    kubbVersion,
    [
      ...['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-zod', 'plugin-client'].map(
        (part) => `@kubb/${part}@${kubbVersion}`,
      ),
      'zod@4',
    ],
    (places) => [
      copy(places.document, join(places.folder, 'openapi.json')),
      copy(join(places.drivers, 'kubb.config.ts'), join(places.folder, 'kubb.config.ts')),
      installed(places, 'kubb', ['generate']),
    ],
  ),
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
      copyGo({ drivers }, 'oapi-codegen.go', folder),
      run('go', ['mod', 'init', 'check'], folder),
      run('go', ['mod', 'tidy'], folder),
      run('go', ['build', '-o', 'driver', '.'], folder),
    ],
    drive: ({ folder }) => run(join(folder, 'driver'), []),
  },
  {
    name: 'ogen',
    version: ogenVersion,
    keepsDigits: true,
    needs: ['go'],
    alsoReads: [
      ...['before', 'history', 'tokens', 'network', 'fees', 'pool', 'health'],
      ...['304', '400', '409', '429', '503'],
    ],
    make: ({ folder, document, drivers }) => [
      run('go', [
        ...['run', `github.com/ogen-go/ogen/cmd/ogen@${ogenVersion}`, '--package', 'explorer'],
        ...['--target', join(folder, 'explorer'), document],
      ]),
      copyGo({ drivers }, 'ogen.go', folder),
      run('go', ['mod', 'init', 'check'], folder),
      run('go', ['get', `github.com/ogen-go/ogen@${ogenVersion}`], folder),
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
