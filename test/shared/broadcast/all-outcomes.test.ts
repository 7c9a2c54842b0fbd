// Every combination of what three nodes with their own addresses can do with one command. What is expected follows from
// which nodes hold the command, not from how the service finds out.
import { describe, expect, test } from '@jest/globals'
import {
  accepted,
  badNonce,
  cut,
  found,
  held,
  late,
  notSent,
  nowhere,
  poolError,
  refusedBy,
  sent,
} from './broadcast-run.ts'
import { runAtNodes, type ScriptedNode } from './several-nodes.ts'

type Loss = typeof cut | typeof late

const nodesThat = (loss: Loss) =>
  ({
    accepts: { sendPayment: [accepted], findCommand: [found([held])] },
    'refuses permanently': { sendPayment: [refusedBy('Invalid `memo` provided.')], findCommand: [nowhere] },
    'refuses the nonce': { sendPayment: [badNonce(5, 5)], findCommand: [found([], [], '5')] },
    'refuses the funds': { sendPayment: [poolError('Insufficient_funds')], findCommand: [nowhere] },
    'takes it silently': { sendPayment: [loss, poolError('Duplicate')], findCommand: [found([held])] },
    'gives no answer': { sendPayment: [loss], findCommand: [nowhere] },
    'names another command': {
      sendPayment: [{ data: { sendPayment: { payment: { ...held, amount: '1' } } } }],
      findCommand: [nowhere],
    },
  }) satisfies Readonly<Record<string, ScriptedNode>>

type Outcome = keyof ReturnType<typeof nodesThat>

const outcomes = Object.keys(nodesThat(cut)) as readonly Outcome[]

/** The true answer. After a time-out the node may take the command yet; after a broken connection it has or has not. */
function expectedOf(nodes: readonly Outcome[], loss: Loss): object {
  const holding = nodes.filter((node) => node === 'accepts' || node === 'takes it silently')
  const withNodes = (answer: ReturnType<typeof sent> | ReturnType<typeof notSent>) => ({
    ...answer,
    headers: { ...answer.headers, 'x-broadcast-nodes': `${holding.length}/3` },
  })
  if (holding.includes('accepts')) return withNodes(sent('accepted'))
  if (holding.length > 0) return withNodes(sent('already-known'))
  if (nodes.includes('refuses permanently')) return withNodes(notSent('refused', 'memo-too-long', false))
  const outcome = loss === late && nodes.includes('gives no answer') ? 'unknown' : 'refused'
  const reason = nodes.find((node) => node === 'refuses the nonce' || node === 'refuses the funds')
  if (reason === 'refuses the nonce') return withNodes(notSent(outcome, 'bad-nonce', true, { 'x-expected-nonce': '5' }))
  if (reason === 'refuses the funds') return withNodes(notSent(outcome, 'insufficient-funds', true))
  const isTimeout = loss === late && nodes[0] === 'gives no answer'
  return withNodes(notSent('unknown', isTimeout ? 'timeout' : 'node-unreachable', true))
}

describe.each([
  ['broken connections', cut],
  ['time-outs', late],
] as const)('with %s', (_what, loss) => {
  const scripts = nodesThat(loss)
  const all = outcomes.flatMap((one) => outcomes.flatMap((two) => outcomes.map((three) => [one, two, three] as const)))
  const run = (nodes: readonly Outcome[]) => runAtNodes(...nodes.map((node) => scripts[node]))

  test.each(outcomes)('the answer is true whatever the others do when the best node %s', async (best) => {
    const cases = all.filter(([one]) => one === best)
    expect(cases).toHaveLength(49)
    const given = await Promise.all(cases.map(async (nodes) => [nodes.join(', '), (await run(nodes)).answer]))
    expect(Object.fromEntries(given)).toEqual(
      Object.fromEntries(cases.map((nodes) => [nodes.join(', '), expectedOf(nodes, loss)])),
    )
  })

  test('half of the refusals take two round trips or fewer, and no node gets more than it may', async () => {
    const runs = await Promise.all(all.map(run))
    const refusals = runs
      .filter(({ answer }) => answer.headers?.['x-broadcast-outcome'] === 'refused')
      .map(({ asked }) => Math.max(...Object.values(asked).map((questions) => questions.length)))
      .sort((one, other) => one - other)
    expect(refusals.length).toBeGreaterThan(50)
    expect(refusals[Math.floor(refusals.length / 2)]).toBeLessThanOrEqual(2)
    const perNode = runs.flatMap(({ asked }) => Object.values(asked))
    const most = (name: string) => Math.max(...perNode.map((asked) => asked.filter((one) => one === name).length))
    expect({ submissions: most('sendPayment'), looks: most('findCommand') }).toEqual({ submissions: 2, looks: 2 })
  })
})
