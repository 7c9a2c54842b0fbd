// Which of the documents' commands can be run by anyone, and why the others cannot. The first rule that fits decides.

interface Run {
  /**
   * `serve`: a service, ended when it answers. `beside`: while the service of `npm start` runs. `end`: to its end.
   */
  readonly how: 'serve' | 'beside' | 'end'
  /** Stand-ins for a reader's own names and addresses. */
  readonly standIns?: Readonly<Record<string, string>>
  /** Makes what the reader has from elsewhere. */
  readonly first?: string
  readonly environment?: Readonly<Record<string, string>>
  /** More than most commands are given. */
  readonly minutes?: number
}

interface Exception {
  readonly how: 'not here'
  readonly reason: string
}

/** The treatment of the commands of one form. */
export type Rule = { readonly commands: RegExp } & (Run | Exception)

/** The service that runs meanwhile; the runner puts its port here. */
export const localAddress = 'http://127.0.0.1:8080'

const localService = {
  '<BaseAddress>': localAddress,
  '<CdnAddress>': localAddress,
  '<ApiAddress>': localAddress,
  'https://explorer.example.org': localAddress,
  // There the service has no stage.
  '--stage <stage> ': '',
}

/** Stands for a real node, whose address is a placeholder in the repository. It is only written into a template. */
const environment = { EXPLORER_NODE_GRAPHQL_URL: 'https://203.0.113.1/graphql' }

const except = (commands: RegExp, reason: string): Rule => ({ commands, how: 'not here', reason })

/** In the order in which they are run. */
export const rules: readonly Rule[] = [
  except(/\baws |^npm run (?:deploy|cdk -- (?:bootstrap|destroy|diff$|drift))\b/, 'needs an AWS account'),
  except(
    /^export AWS_|^\(umask|^cat ~|^sleep /,
    "prepares the reader's own shell for a command of AWS or a node's key",
  ),
  except(/^git |^npm ci(?: --omit=dev)?$/, 'came before: this is run in a fresh clone, after npm ci'),
  except(
    /^npm ci(?: --omit=dev)? && npm (?:start|test)$/,
    'installs under this script; npm start and npm run check are the rest of it',
  ),
  except(/^dig /, "asks for a deployment's name"),
  except(
    /^npm pack |^npm (?:init|pkg) |^(?:cd|mkdir) \.\.|^npm install \.\//,
    'is run by npm test -- test/client/package',
  ),
  except(/^npm install /, 'changes the lockfile'),
  except(/^(?:sqlite3|python3 -c "import duckdb|psql|grep -o)\b/, "reads the reader's payment and database"),
  except(/^python3 |^cdk\.out\/judges\//, 'needs Python, which nothing else here does'),
  except(/^npm (?:audit|outdated)\b/, 'asks for the advisories and versions of today; the workflow runs npm audit'),
  except(
    /^(?:PORT=8081 )?NODE.* npm start$|^npm run doctor(?: -- --stage <stage>| -- --node URL --indexer URL)?$/,
    'needs a node of the reader',
  ),
  except(
    /^npm run check:operations/,
    "needs a node's or an indexer's SDL; test/tools/check-operations.test.ts has them",
  ),
  except(/^jq /, 'needs the lines of a night; npm test -- test/infra/monitoring/nights makes some'),
  except(/^npm run map-stack/, 'needs a line of a log; test/tools/map-stack makes one'),
  except(/^npm run demo -- --explorer$/, 'waits for Ctrl-C; test/browser/explorer-page.test.ts opens its page'),
  except(/^npm test -- --watch$/, 'waits for keys'),
  except(/^npm run check:documents$/, 'is this script'),
  except(/^npm run accept:bundles$/, 'accepts the sizes of the bundles, which a person decides'),
  except(/^npm run check:clients/, 'needs the languages of the tools; npm run check runs it where CHECK_CLIENTS is 1'),
  except(/^npm run check:o1js/, 'installs o1js; npm run check runs it where CHECK_CLIENTS is 1'),
  except(/^npm run check:servers/, 'installs servers; npm run check runs it where CHECK_CLIENTS is 1'),
  except(/^npm run check:findings/, 'installs programs of others; the workflow of clients runs it by night'),
  except(/^bash \.ci\/run$/, 'installs under this script; npm run check is the rest of it'),
  except(
    /^npm test(?: -- --all)?$|^npm run (?:lint|types)$|^npm run generate && /,
    'is a part of npm run check, which is run',
  ),
  except(/^npm run check -- --all$/, 'is npm run check and npm run bench -- all --quick, which are run'),
  except(/^npm run bench -- (?!all --quick$)/, 'takes minutes; npm run bench -- all --quick runs each'),

  { commands: /^npm start -- --(?:flaky(?: 0\.1)?|lenient)$|^npm run dev$/, how: 'serve' },
  {
    commands: /^npm start -- --flaky 0\.5 --lines /,
    how: 'serve',
    standIns: { 'night.jsonl': 'node_modules/night.jsonl' },
  },
  { commands: /^(?:BLOCK_SECONDS=1 |BLOCK_SECONDS=2 KEEP=\S+ NODE_PORT=3085 )?npm start$/, how: 'serve' },
  { commands: /^curl |^node tools\/launch\.mjs --input-type=module -e /, how: 'beside', standIns: localService },
  { commands: /^npm run doctor -- (?:--stage <stage> )?--url /, how: 'beside', standIns: localService },
  { commands: /^npm run doctor -- --node URL$/, how: 'beside', standIns: { URL: '<node>' } },
  { commands: /^npm run demo(?: -- --(?:flaky|deposits))?$/, how: 'end' },
  { commands: /^npm run generate$|^npm start -- --help$/, how: 'end' },
  { commands: /^npm run (?:licences|sbom|lint:openapi|pictures)$/, how: 'end' },
  { commands: /^npx biome check --write \.$/, how: 'end' },
  { commands: /^npm run synth\b/, how: 'end', standIns: { '<stage>': 'devnet' }, environment },
  {
    commands: /^npm run cdk -- diff --app cdk\.out --template /,
    how: 'end',
    first: 'npm run synth -- -c stage=mainnet && cp cdk.out/chain-explorer-mainnet.template.json cdk.out/deployed.json',
    environment,
  },
  { commands: /^npm run cdk -- diff --app cdk\.out\/after /, how: 'end' },
  { commands: /^npm run --silent sbom > cdk\.out\/sbom\.json$/, how: 'end' },
  { commands: /^npm test --(?: test\/\S+)+$/, how: 'end' },
  { commands: /^(?:npm test --|npx jest) FILE$/, how: 'end', standIns: { FILE: 'test/inventory.test.ts' } },
  { commands: /^npm run check$/, how: 'end', minutes: 30 },
  { commands: /^npm run bench -- all --quick$/, how: 'end', minutes: 40 },
]

/** The place of a command's rule; -1 for a command that no rule knows. */
export const ruleOf = (command: string): number => rules.findIndex(({ commands }) => commands.test(command))
