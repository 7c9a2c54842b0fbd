// The built bundles under AWS's runtime client, as instances that sleep between two requests. The bench says where that client
// cannot be had, and runs nothing there.
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

test('an instance that sleeps between requests answers as one that runs on', () => {
  const args = ['packages/proofs/bench/run.ts', 'frozen-instances', '--quick']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, printed: stdout.trim(), errors: stderr }).toEqual({
    status: 0,
    printed: expect.stringMatching(/^not run: .*$|\d+ instances, 0 with a fault$/),
    errors: '',
  })
}, 300_000)
