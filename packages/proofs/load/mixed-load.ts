// Mixed GETs at a fixed rate, to the service on a separate thread. Each answer is compared with the one that
// the service gives at the height in its header while nothing troubles it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Received } from '../upstream-faults/setting/service.ts'
import { type Judgement, judge } from './judge.ts'
import { createMix, type MixedRequest } from './mix.ts'
import type { ChainState, RecordedChain } from './recorded-chain.ts'
import { ask, references } from './reference.ts'
import { quantile } from './spread.ts'

export interface Sample extends Judgement, Pick<MixedRequest, 'kind' | 'path'> {
  /** The trouble when the request was sent. */
  readonly trouble: string
  readonly tookMs: number
  /** True if the indexer served from the first moment of the request to the last, and no block came. */
  readonly wasCalm: boolean
  /** True if the tip of a 200 is lower than one that its function had shown before the request. */
  readonly wentBack: boolean
}

interface Unjudged extends Omit<Sample, keyof Judgement> {
  readonly answer: Received
  /** Those in which the node may have been asked, and the indexer. */
  readonly states: readonly ChainState[]
  readonly meanwhile: readonly ChainState[]
  readonly mayBeUnknowable: boolean
  readonly isBehind: boolean
}

export interface Load {
  readonly seed: string
  readonly requestsPerSecond: number
  readonly seconds: number
  readonly blockSeconds: number
  readonly recorded: RecordedChain
  /** Of the service. */
  readonly environment: Readonly<Record<string, string>>
  /** Adds a block. */
  advance(): void
  /** True if the indexer served from the first of these times to the second. */
  hadIndexer(from: number, until: number): boolean
  /** @param during runs a trouble with its name; none of them overlap */
  causeTrouble(during: (name: string, trouble: () => Promise<void>) => Promise<void>): Promise<void>
}

const calm = 'none'
/** Longer than every time budget of the service. */
const patienceMs = 25_000

const functionOf = ({ kind }: MixedRequest): string => (kind === 'old block' ? 'block' : kind)

const answerOf = (url: string): Promise<Received> =>
  ask(url, AbortSignal.timeout(patienceMs)).catch((error: unknown) => ({ status: 0, headers: {}, text: String(error) }))

/** Runs the load; resolves when all requests are answered. */
export async function runLoad(load: Load): Promise<readonly Sample[]> {
  const { recorded, requestsPerSecond, seconds } = load
  const service = new Worker(new URL('./service-worker.ts', import.meta.url), { workerData: load.environment })
  const url = await new Promise<string>((resolve, reject) => service.once('message', resolve).once('error', reject))
  const nextRequest = createMix(load.seed, recorded)
  const unjudged: Unjudged[] = []
  /** By function, the greatest height that it has shown. */
  const shown = new Map<string, number>()
  let trouble = calm

  async function sendOne(): Promise<void> {
    const request = nextRequest()
    const own = functionOf(request)
    const before = { trouble, shown: shown.get(own) ?? 0, states: recorded.states.length, sentAt: performance.now() }
    const answer = await answerOf(url + request.path)
    const receivedAt = performance.now()
    const height = Number(answer.headers['x-chain-height'])
    // Another answer may have shown a higher tip meanwhile: that makes this one old, but it does not go back.
    const shownAfter = shown.get(own) ?? 0
    shown.set(own, Math.max(shownAfter, height))
    const labelled = recorded.states.filter(({ tip }) => tip.height === height)
    // The indexer has no label: it may have been asked at any moment of the request. Of several questions to nodes the label
    // is that of the lowest tip.
    const meanwhile = recorded.states.slice(before.states - 1)
    const isOneQuestion = own === 'blocks' || own === 'summary'
    const states = isOneQuestion ? labelled : [...labelled, ...meanwhile]
    const hadIndexer = load.hadIndexer(before.sentAt, receivedAt)
    const mayBeUnknowable = !hadIndexer && request.needsIndexer(meanwhile)
    unjudged.push({
      answer,
      states,
      meanwhile,
      mayBeUnknowable,
      isBehind: height < shownAfter,
      kind: request.kind,
      path: request.path,
      trouble: before.trouble,
      tookMs: receivedAt - before.sentAt,
      wasCalm: hadIndexer && meanwhile.length === 1,
      wentBack: answer.status === 200 && height < before.shown,
    })
  }

  /** An open loop: a request does not wait for the answer to the one before. */
  async function sendAll(): Promise<void> {
    const startedAt = performance.now()
    const sent: Promise<void>[] = []
    const due = () => Math.min(seconds, (performance.now() - startedAt) / 1000) * requestsPerSecond
    while (sent.length < seconds * requestsPerSecond) {
      while (sent.length < due()) sent.push(sendOne())
      await sleep(1)
    }
    await Promise.all(sent)
  }

  // The first answer of each function is slow: it loads and compiles what the later ones use.
  for (let warmUp = 0; warmUp < requestsPerSecond; warmUp++) await sendOne()
  unjudged.length = 0
  const blocks = setInterval(load.advance, load.blockSeconds * 1000)
  const during: Parameters<Load['causeTrouble']>[0] = async (name, happens) => {
    trouble = name
    await happens()
    trouble = calm
  }
  await Promise.all([sendAll(), load.causeTrouble(during)])
  clearInterval(blocks)
  await service.terminate()
  // The right answers cost as much as those of the load, so that they wait until its end.
  const right = references()
  const samples: Sample[] = []
  for (const { answer, states, meanwhile, mayBeUnknowable, isBehind, ...sample } of unjudged) {
    const pairs = states.flatMap((atNode) => meanwhile.map((atIndexer) => [atNode, atIndexer] as const))
    const rights = await Promise.all(pairs.map((pair) => right.answer(...pair, sample.path)))
    samples.push({ ...sample, ...judge(answer, rights, mayBeUnknowable, isBehind) })
  }
  await right.close()
  return samples
}

const timesOf = (samples: readonly Sample[]): readonly number[] => samples.map(({ tookMs }) => tookMs)

/** Prints a row for each trouble. The exit code is 1 if an answer was wrong, a 5xx, or of a tip that went back. */
export function reportLoad(samples: readonly Sample[]): void {
  const byTrouble = Map.groupBy(samples, (sample) => sample.trouble)
  const calmMs = quantile(timesOf(byTrouble.get(calm) ?? []), 0.5)
  const verdicts = ['complete', 'incomplete', 'unknowable', '5xx', 'wrong'] as const
  const row = (name: string, cells: readonly unknown[]) =>
    console.log(name.padEnd(18) + cells.map((cell) => String(cell).padStart(11)).join(''))
  row('during', ['requests', ...verdicts, 'went back', 'p50', 'p99'])
  for (const [name, own] of byTrouble) {
    const counts = verdicts.map((verdict) => own.filter((sample) => sample.verdict === verdict).length)
    const times = [0.5, 0.99].map((share) => (quantile(timesOf(own), share) / calmMs).toFixed(1))
    row(name, [own.length, ...counts, own.filter(({ wentBack }) => wentBack).length, ...times])
  }
  console.log('p50 and p99 are ratios to the p50 without trouble. Incomplete: the missing fields are named.')
  console.log('Unknowable: a 503 for an old block while no indexer could be asked.')
  const bad = samples.filter(({ verdict, wentBack }) => verdict === '5xx' || verdict === 'wrong' || wentBack)
  console.log(`${samples.length} answers, ${bad.length} of them wrong, a 5xx, or of a tip that went back`)
  for (const { trouble, path, verdict, reason } of bad.slice(0, 5)) {
    console.log(`  ${trouble}: ${path} ${verdict} ${reason ?? ''}`)
  }
  if (bad.length > 0) process.exitCode = 1
}
