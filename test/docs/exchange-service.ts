// A service that answers the exchange's programs of docs/recipes.md as a test says, and those programs before it.
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, jest, test } from '@jest/globals'
import {
  commandOf,
  ExchangeProgram,
  hurried,
  type Language,
  languages,
} from '../../packages/proofs/exchange-day/program.ts'
import { createSigner } from '../../packages/testnet/signer.ts'
import { encodeBase58Check } from '../../shared/mapping/base58check.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import { serve, temporaryFolder } from '../serving.ts'

export const network = 'testnet'
export const wallet = createSigner(network).keyPair('programs', 'wallet')
export const { publicKey: receiver } = createSigner(network).keyPair('programs', 'receiver')

export interface Block {
  readonly stateHash: string
  readonly blockHeight: number
  readonly dateTime: string
  readonly protocolState: { readonly previousStateHash: string }
  readonly transactions: { readonly userCommands: readonly object[]; readonly zkappCommands: readonly object[] }
}

export const hashAt = (branch: string, height: number) => `3N${branch}${height}`

const encoded = (prefix: readonly number[], text: string, suffix: readonly number[] = []) =>
  encodeBase58Check(Uint8Array.from([...prefix, ...Buffer.from(text.padEnd(32, '\0')), ...suffix]))

/** A key that no wallet made, and a hash that no payment has. */
export const keyAt = (branch: string, height: number) => encoded([0xcb, 1, 1], hashAt(branch, height), [0])
export const paymentHash = (name: string) => encoded([0x1d, 0x20], name)

/** A block in which a key of its own gets its height in nanomina; six blocks make a day. */
export const blockAt = (branch: string, height: number, parent = branch): Block => ({
  ...{ stateHash: hashAt(branch, height), blockHeight: height },
  dateTime: new Date(Date.UTC(2026, 0, 1) + height * 4 * 3_600_000).toISOString(),
  protocolState: { previousStateHash: hashAt(parent, height - 1) },
  transactions: {
    userCommands: [
      {
        ...{ hash: `5J${branch}${height}`, from: 'payer', to: keyAt(branch, height), nonce: height, amount: height },
        isDelegation: false,
      },
    ],
    zkappCommands: [],
  },
})

export interface Daemon {
  readonly tip: number
  /** The first block that it and all other upstreams have; without it all. */
  readonly lowest?: number
  blockAt(height: number): Block
}

export const standing = (tip: number): Daemon => ({ tip, blockAt: (height) => blockAt('', height) })

/** The chain, or one that leaves it above 100. */
export const branch = (name: string, tip: number): Daemon => ({
  tip,
  blockAt: (height) => (height > 100 ? blockAt(name, height, height === 101 ? '' : name) : blockAt('', height)),
})

export interface Payment {
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly fee: number
  readonly nonce: number
  readonly memo: string
  readonly isDelegation: boolean
}

/** The wallet's commands, as services show them. */
export interface Wallet {
  /** A payment without a height waits in a pool: `pool` names the service that has it, or `every`; without one no nonce counts it. */
  readonly payments: { readonly command: Payment; height?: number; pool?: string }[]
  /** Nonces of those that fail on the chain. */
  readonly failing: Set<number>
  /** Nonces of those that the history leaves out. */
  readonly hidden: Set<number>
  hasIndexer: boolean
  /** Fates tell of another command in a block with the nonce. */
  showsReplaced: boolean
  /** Those of the history; all but the first are empty. */
  pages: number
  /** What is sent is final in the tip's block at once, or waits in the pool of its service, or is refused with a code. */
  sent: 'final' | 'waits' | { readonly code: string; readonly outcome?: 'unknown' }
  /** False while a reorganisation may still reach every block that has one; or how deep that is. */
  areFinal: boolean | number
  /** How many blocks a history has without an indexer. */
  kept: number
}

export const noPayments = (): Wallet => ({
  ...{ payments: [], failing: new Set(), hidden: new Set(), hasIndexer: true, pages: 1, sent: 'final', areFinal: true },
  ...{ showsReplaced: false, kept: Number.POSITIVE_INFINITY },
})

/**
 * @param daemonFor the daemon that answers a path, perhaps one of several behind one address; a 500 where it throws
 * @param paid perhaps that of another service over the same chain
 * @param pool of this service
 */
export async function serviceOf(daemonFor: (path: string) => Daemon, paid: Wallet = noPayments(), pool = 'one') {
  /** `costlyAt`: when each fate, history or pool was asked for, in milliseconds. */
  const counts = { rounds: 0, costlyAt: [] as number[] }
  const nonceAbove = (isCounted: (payment: Wallet['payments'][number]) => boolean) =>
    1 + Math.max(-1, ...paid.payments.filter(isCounted).map(({ command }) => command.nonce))
  const failureOf = ({ nonce }: Payment) => paid.failing.has(nonce) && { failureReason: 'Overflow' }
  const answer = ({ pathname, searchParams }: URL, { tip, lowest = 0, blockAt: at }: Daemon): unknown => {
    const height = Number(/^\/blocks\/(?:height\/|3N\D*)(\d+)$/.exec(pathname)?.[1] ?? 0)
    if (height > 0 && (height < lowest || height > tip)) return undefined
    if (height > 0) {
      const { transactions, ...block } = at(height)
      const own = paid.payments.flatMap(({ command, height: place }) =>
        place === height ? [{ ...command, ...failureOf(command) }] : [],
      )
      return {
        block: { ...block, transactions: { ...transactions, userCommands: [...transactions.userCommands, ...own] } },
      }
    }
    const isFinal = (place: number) =>
      typeof paid.areFinal === 'number' ? tip - place >= paid.areFinal : paid.areFinal
    const isKept = (place: number) => paid.hasIndexer || tip - place <= paid.kept
    const blockOf = (place: number) => {
      const { blockHeight, dateTime, stateHash } = at(place)
      return { blockHeight, dateTime, stateHash }
    }
    if (pathname.startsWith('/transactions/')) {
      const isAsked = ({ command }: { command: Payment }) =>
        (['nonce', 'to', 'amount', 'fee', 'memo'] as const).every(
          (name) => `${command[name]}` === searchParams.get(name),
        )
      const found = paid.payments.find(isAsked)
      const rival = paid.payments.find(
        ({ command, height: place }) => place && String(command.nonce) === searchParams.get('nonce'),
      )
      if (rival?.height && !isKept(rival.height)) return { transaction: { state: 'unknown' } }
      if (paid.showsReplaced && rival?.height && rival !== found) {
        const depth = { final: isFinal(rival.height), confirmations: tip - rival.height, block: blockOf(rival.height) }
        const terms = { memo: searchParams.get('memo') }
        return { transaction: { state: 'replaced', ...depth, command: rival.command, terms } }
      }
      if (found?.height === undefined)
        return { transaction: { state: 'absent', sending: typeof paid.sent === 'object' ? 'possible' : 'unknown' } }
      const block = blockOf(found.height)
      const depth = isFinal(found.height) ? { final: true, confirmations: 29 } : { confirmations: tip - found.height }
      return { transaction: { state: 'included', ...depth, block, ...failureOf(found.command) } }
    }
    const shown = paid.payments.flatMap(({ command, height: place }) =>
      place === undefined || paid.hidden.has(command.nonce) || !isKept(place)
        ? []
        : [
            {
              ...{ command: { ...command, ...failureOf(command) }, block: blockOf(place), confirmations: tip - place },
              change: -command.fee - (command.isDelegation || failureOf(command) ? 0 : command.amount),
            },
          ],
    )
    const nonce = nonceAbove(({ height: place }) => place !== undefined)
    // A payment that reached the pool in another way does not count towards the next nonce.
    const nextNonce = Math.max(
      nonce,
      nonceAbove((each) => each.pool === pool || each.pool === 'every'),
    )
    const page = Number(searchParams.get('before') ?? 1)
    const balance = { total: '1000.000000000', lockedBalance: null }
    const answers: Readonly<Record<string, unknown>> = {
      '/network': { networkName: network, k: 29, genesisStateHash: hashAt('', 1) },
      '/summary': { blockchainLength: tip },
      '/fees': { suggested: { slow: '1000000', normal: '2000000', fast: '3000000' } },
      [`/accounts/${wallet.publicKey}`]: { account: { nonce, nextNonce, balance } },
      [`/accounts/${wallet.publicKey}/transactions`]: {
        transactions: page > 1 ? [] : shown.toSorted((left, right) => right.command.nonce - left.command.nonce),
        ...(page < paid.pages && { next: String(page + 1) }),
        searched: { toHeight: tip, indexer: paid.hasIndexer },
      },
      '/pool': {
        commands: paid.payments.flatMap(({ command, height: place, pool: only = 'every' }) =>
          place === undefined && (only === pool || only === 'every') ? [command] : [],
        ),
      },
    }
    return answers[pathname]
  }
  const { url } = await serve(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://127.0.0.1')
    let daemon: Daemon
    try {
      daemon = daemonFor(asked.pathname)
    } catch {
      return void response.writeHead(500).end('{}')
    }
    const headers = { 'x-chain-height': String(daemon.tip), 'x-broadcast-outcome': 'accepted' }
    if (request.method === 'POST') {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const numbers = { amount: Number(data.amount), fee: Number(data.fee), nonce: Number(data.nonce) }
      const hash = paymentHash(`${data.nonce} ${data.memo} ${data.fee}`)
      const command = { ...data, ...numbers, memo: memoFromText(data.memo), hash, isDelegation: false }
      const isUsed = paid.payments.some(({ command: { nonce }, height }) => height && nonce >= numbers.nonce)
      if (isUsed || typeof paid.sent === 'object') {
        const { code, outcome = 'refused' } = typeof paid.sent === 'object' ? paid.sent : { code: 'nonce-used' }
        const refused = { 'x-broadcast-outcome': outcome, 'x-broadcast-retriable': 'false' }
        return void response.writeHead(400, { ...headers, ...refused, 'x-broadcast-code': code }).end('{}')
      }
      paid.payments.push({ command, ...(paid.sent === 'final' ? { height: daemon.tip } : { pool }) })
      return void response.writeHead(201, headers).end('{"result":{}}')
    }
    if (asked.pathname === `/accounts/${wallet.publicKey}`) counts.rounds++
    if (/^\/transactions|^\/pool|\/transactions$/.test(asked.pathname)) counts.costlyAt.push(performance.now())
    const body = answer(asked, daemon)
    response.writeHead(body ? 200 : 404, headers).end(JSON.stringify(body ?? { message: 'none' }))
  })
  return { url, paid, counts }
}

export const { publicKey: from, privateKey } = wallet
const setting = { network, from, privateKey, pollSeconds: 0.02 }

const running: ExchangeProgram[] = []
afterEach(() => Promise.all(running.splice(0).map((program) => program.kill())))

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(20)
}

/** Waits for some more rounds of the program, in which nothing may change. */
export async function moreRounds(counts: { readonly rounds: number }, more = 10): Promise<void> {
  const rounds = counts.rounds + more
  await until(() => counts.rounds >= rounds)
}

/** An order of so many nanomina, whose id is its memo. */
export const order = (id: string, amount: number) => ({ id, to: receiver, amount: String(amount), memo: id })

/** A payment of the wallet to the receiver. */
export const paymentOf = ({
  memo,
  ...terms
}: Pick<Payment, 'nonce' | 'amount' | 'memo'> & Partial<Payment>): Payment => ({
  ...{ hash: paymentHash(memo), from, to: receiver, fee: 2_000_000, isDelegation: false },
  ...terms,
  memo: memoFromText(memo),
})

// Programs are compiled, and started again and again, perhaps on a busy machine.
jest.setTimeout(300_000)

/** Describes the program in each language. */
export const describePrograms = (body: (programs: ReturnType<typeof programsIn>) => void) =>
  describe.each(languages)('the program in %s', (language) => body(programsIn(language)))

/** What runs a language's program, and the tests of those that are installed here. */
function programsIn(language: Language) {
  // The program splits its --sign command as a POSIX shell does, which breaks Windows paths.
  const command = process.platform === 'win32' ? undefined : commandOf(language, temporaryFolder())
  return {
    language,
    testOfProgram: command === undefined ? test.skip : test,
    programAt(
      url: string,
      confirmations: number,
      folder = temporaryFolder(),
      options = hurried[language],
    ): ExchangeProgram {
      if (command === undefined) throw new Error('not installed')
      const program = new ExchangeProgram(command, folder, { ...setting, url, confirmations, options })
      running.push(program)
      return program
    },
  }
}
