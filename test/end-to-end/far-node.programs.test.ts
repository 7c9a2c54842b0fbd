import { execFile, spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { buildFunctions } from './cold-instance.ts'

const files = 'test/end-to-end/far-node'
const wires = {
  'a node 600 ms away': { delayMs: 300, lostSyns: 0 },
  'a network that loses the first packet of each connection': { delayMs: 10, lostSyns: 1 },
}

/** The arguments of `unshare` for a command on a wire to a far node. All its processes end together. */
const onWire = ({ delayMs, lostSyns }: (typeof wires)['a node 600 ms away'], ...command: readonly string[]) => [
  ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['python3', `${files}/wire.py`, String(delayMs), String(lostSyns), ...command],
]

const canMakeWire = spawnSync('unshare', onWire({ delayMs: 0, lostSyns: 0 }, 'true')).status === 0
if (!canMakeWire) console.warn('The test of a far node is skipped: it needs Linux, root, Python 3 and a tun device.')

// A locale that is not installed makes bash complain.
const env = { ...process.env, LC_ALL: 'C' }
const testOnWire = canMakeWire ? test : test.skip

// Node gives each address of a name 250 ms by default, and then ends with the last one.
testOnWire(
  'a far host answers npm start, a bundle and the heartbeat although its IPv6 addresses cannot be reached',
  async () => {
    const { fileOf } = await buildFunctions(['getSummary'])
    const callers = [process.execPath, `${files}/callers.ts`, pathToFileURL(fileOf('getSummary')).href]
    const answers = Object.entries(wires).map(async ([name, wire]) => {
      const { stderr } = await promisify(execFile)('unshare', onWire(wire, ...callers), { timeout: 120_000, env })
      return [name, JSON.parse(stderr)]
    })
    const right = { bundles: [200, 200, 200], heartbeat: 'refused', start: [200, 200] }
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(
      Object.fromEntries(Object.keys(wires).map((name) => [name, right])),
    )
  },
)
