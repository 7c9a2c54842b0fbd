// A chain that goes on after a restart, and folders that cannot keep one.
import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { keptChain } from '../../../local/start/kept-chain.ts'
import type { Chain } from '../../../packages/testnet/chain.ts'
import { fates } from '../../../packages/testnet/fates.ts'
import { temporaryFolder } from '../../serving.ts'
import { service } from './held-service.ts'

const testOnUnix = process.platform === 'win32' ? test.skip : test
const testOnLinux = process.platform === 'linux' ? test : test.skip

const options = { seed: 'kept', blockSeconds: 10, slotsPerEpoch: 20 }

/** Opens the folder as a process would at that time. The clock moves only by `advance`. */
function open(folder: string, startMs = Date.UTC(2026, 0, 1, 0, 0, 3)) {
  const clock = { now: startMs }
  const said: string[] = []
  const told = {
    say: (line: string) => void said.push(line),
    end(line: string): never {
      throw new Error(line)
    },
  }
  const { day, release } = keptChain(folder, options, () => clock.now, told)
  const nextSlot = () => {
    clock.now += 10_000
    day.produceIfDue()
  }
  return { day, release, nextSlot, clock, said }
}

/** The commands of a chain's first blocks come from its seed, and to sign each of them would take most of the time. */
const blocksOf = (chain: Chain) =>
  chain.allBlocks().map((block) => {
    if (block.height > 40) return block
    const userCommands = block.userCommands.map(({ command: { hash }, ...included }) => ({ ...included, hash }))
    return { ...block, userCommands }
  })

/** All that node and indexer show comes from these. */
const stateOf = (chain: Chain) => ({
  chainId: chain.chainId,
  blocks: blocksOf(chain),
  best: chain.bestChain().map(({ stateHash }) => stateHash),
  pool: chain.pool().map(({ hash, id }) => [hash, id]),
  zkapps: chain.zkappPool(),
  ledger: [...chain.ledger()],
  before: chain.before && [chain.before.parent, blocksOf(chain.before.chain)],
})

/** Whatever can be done to a chain, one after the other. */
function live({ day, nextSlot }: ReturnType<typeof open>): void {
  const { node } = day
  for (const name of ['replaced', 'expired', 'failed', 'waiting'] as const) {
    fates[name].arrange(node, {})
    nextSlot()
  }
  fates.zkapp.arrange(node, { amount: 2n ** 60n })
  nextSlot()
  fates.reorganised.arrange(node, { depth: 2 })
  nextSlot()
}

describe('a kept chain', () => {
  test('is after a restart what it was before, block by block and command by command, and goes on', () => {
    const folder = temporaryFolder()
    const first = open(folder)
    live(first)
    const before = stateOf(first.day.node)
    first.release()
    const second = open(folder, first.clock.now + 3_600_000)
    expect(stateOf(second.day.node)).toEqual(before)
    second.day.produceIfDue()
    expect(second.day.node.tip()).toMatchObject({
      height: first.day.node.tip().height + 1,
      date: Date.UTC(2026, 0, 1, 1, 1),
    })
    live(second)
    second.release()
    const third = open(folder, second.clock.now)
    expect(stateOf(third.day.node)).toEqual(stateOf(second.day.node))
    third.release()
  })

  test('is at the same step of a hard fork, with its indexer on the same chain', () => {
    const folder = temporaryFolder()
    let running = open(folder)
    const steps = [
      () => running.day.pause(),
      () => running.nextSlot(),
      () => running.day.stop(),
      () => running.day.fork(),
      () => running.nextSlot(),
      () => running.day.follow(),
      () => running.day.fork(1),
    ]
    for (const step of steps) {
      step()
      const { day, clock, release } = running
      release()
      running = open(folder, clock.now)
      expect([stateOf(running.day.node), running.day.indexed.chainId]).toEqual([stateOf(day.node), day.indexed.chainId])
      expect(running.day.node.lastBeforePause()).toEqual(day.node.lastBeforePause())
    }
    running.release()
  })

  test('loses only the line that a crash has cut', () => {
    const folder = temporaryFolder()
    const first = open(folder)
    first.nextSlot()
    const tip = first.day.node.tip()
    first.release()
    const file = join(folder, 'chain.jsonl')
    const written = readFileSync(file, 'utf8')
    appendFileSync(file, '{"at":17672')
    const second = open(folder, first.clock.now)
    expect([second.day.node.tip(), readFileSync(file, 'utf8')]).toEqual([tip, written])
    expect(second.said).toEqual([`KEEP: the last line of ${file} was cut off in the middle, and is dropped.`])
    second.release()
  })

  test.each([
    [
      'another slot',
      { blockSeconds: 5 },
      /^KEEP: the chain in .* was made with BLOCK_SECONDS=10, not 5\. Start it with that/,
    ],
    ['another epoch', { slotsPerEpoch: 7 }, /^KEEP: the chain in .* was made with SLOTS_PER_EPOCH=20, not 7\./],
  ])('is not opened with %s', (_, changed, message) => {
    const folder = temporaryFolder()
    open(folder).release()
    expect(() => keptChain(folder, { ...options, ...changed }, Date.now)).toThrow(message)
    open(folder).release()
  })

  test.each([
    ['no JSON', (text: string) => text.replace(/.*\n$/, 'x\n'), 'line 2 of .*: it is not a step'],
    [
      'another block',
      (text: string) => text.replace(/3N\w+"}\n$/, '3N"}\n'),
      'line 2 of .*: it leads to another block',
    ],
    [
      'a strange step',
      (text: string) => text.replace('"produceIfDue"', '"toString"'),
      'it names nothing that can be done',
    ],
    [
      'another start',
      (text: string) => text.replace(/"genesis":"\w+"/, '"genesis":"3N"'),
      'line 1 of .*: another version has made',
    ],
  ])('that a file does not lead to is named by its line: %s', (_, change, message) => {
    const folder = temporaryFolder()
    const { nextSlot, release } = open(folder)
    nextSlot()
    release()
    const file = join(folder, 'chain.jsonl')
    // As an older version wrote it.
    const unchecked = readFileSync(file, 'utf8')
      .replace(',"checked":true', '')
      .replace(/ [0-9a-f]{8}$/gm, '')
    writeFileSync(file, unchecked)
    open(folder).release()
    writeFileSync(file, change(unchecked))
    expect(() => open(folder)).toThrow(new RegExp(`^KEEP: .*${message}`))
  })

  test('names the line in which any byte is damaged', () => {
    const folder = temporaryFolder()
    const { day, release } = open(folder)
    fates.waiting.arrange(day.node, {})
    release()
    const file = join(folder, 'chain.jsonl')
    const whole = readFileSync(file)
    const places = Array.from({ length: 8 }, (_, step) => Math.floor((step * (whole.length - 2)) / 8))
    for (const place of places) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(whole.readUInt8(place) ^ 1, place)
      writeFileSync(file, damaged)
      expect(() => open(folder)).toThrow(
        /^KEEP: (?:line \d+ of .* cannot be repeated: |the chain in .* was made with )/,
      )
    }
    writeFileSync(file, whole)
    open(folder).release()
  })

  testOnUnix('ends with one line where the disk is full, and has all that it answered', async () => {
    const folder = temporaryFolder()
    const script = `
      import { keptChain } from './local/start/kept-chain.ts'
      let now = Date.UTC(2026, 0, 1)
      const { day } = keptChain(${JSON.stringify(folder)}, ${JSON.stringify(options)}, () => now)
      for (;;) {
        now += 10_000
        day.produceIfDue()
        console.log(day.node.tip().stateHash)
      }`
    // Of 512 bytes each; without the trap the signal would end the process.
    const limited = 'trap "" XFSZ; ulimit -f 4; exec "$0" "$@"'
    const args = ['-c', limited, process.execPath, '--input-type=module', '-e', script]
    const { status, stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
    const file = join(folder, 'chain.jsonl')
    expect([status, stderr]).toEqual([
      1,
      `KEEP: ${file} cannot be written (EFBIG), so the service stops. What it answered before is kept.\n`,
    ])
    const answered = stdout.trim().split('\n')
    const { day, said, release } = open(folder, Date.UTC(2026, 0, 1, 1))
    expect([answered.length > 2, day.node.tip().stateHash, said]).toEqual([true, answered.at(-1), []])
    release()
  })

  testOnUnix('is taken by one of many processes that start at one moment', async () => {
    const folder = temporaryFolder()
    // Left behind by a process that ended.
    writeFileSync(join(folder, 'pid'), String(2 ** 30))
    const at = Date.now() + 1500
    const script = `
      import { keptChain } from './local/start/kept-chain.ts'
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${at} - Date.now())
      try {
        keptChain(${JSON.stringify(folder)}, ${JSON.stringify(options)}, Date.now)
        console.log('taken')
        setTimeout(() => undefined, 1500)
      } catch (error) {
        console.log(error.message.replace(/by .*/, ''))
      }`
    const starts = Array.from({ length: 4 }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
      return stdout
    })
    expect((await Promise.all(starts)).sort()).toEqual([...Array(3).fill(`KEEP: ${folder} is in use \n`), 'taken\n'])
  })

  testOnLinux('that cannot be written is one line', () => {
    expect(() => open('/proc')).toThrow(/^KEEP: \/proc cannot be read and written \(E\w+\)\. Name another folder$/)
  })

  test('is not shared by two processes, nor kept in a file', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'pid')
    writeFileSync(file, String(process.ppid))
    expect(() => open(folder)).toThrow(`KEEP: ${folder} is in use by the process ${process.ppid}.`)
    expect(() => open(file)).toThrow(`KEEP: ${file} cannot be made a folder (EEXIST)`)
  })
})

test('the service goes on from the kept chain: a payment that was pending is included after the restart', async () => {
  const keep = temporaryFolder()
  const first = await service({ keep })
  const signed = await (await fetch(`${first.url}/examples/transaction`)).text()
  const sent = await fetch(`${first.url}/broadcast/transaction`, { method: 'POST', body: signed })
  const hash = sent.headers.get('x-transaction-hash')
  const tip = first.chain?.tip()
  await first.close()
  const second = await service({ keep })
  const state = async () => Object(await (await fetch(`${second.url}/transactions/${hash}`)).json()).transaction.state
  expect([second.chain?.tip(), await state()]).toEqual([tip, 'pending'])
  second.clock.now += 10_000
  second.repeated[0]?.task()
  expect(await state()).toBe('included')
})
