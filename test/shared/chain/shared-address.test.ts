// Several daemons may hide behind one address: what one of them shows says nothing about another.
import { describe, expect, test } from '@jest/globals'
import type { NodePort } from '../../../shared/upstream/query.ts'
import { badNonce, cut, found, held, nowhere, refusedBy, run, sent, unsent } from '../broadcast/broadcast-run.ts'
import {
  answerOf,
  at,
  lowNonce,
  node,
  nonceTaken,
  portsOf,
  runAt,
  runAtNodes,
  type Script,
  withNodes,
} from '../broadcast/several-nodes.ts'

const bootstrapping = refusedBy('Daemon is bootstrapping')
const rival = { ...held, fee: '2000000' }
const refusing = node(badNonce(5, 5), at(99, lowNonce))
const behindOne = (sendPayment: Script, findCommand: Script) => ({ sendPayment, findCommand, sharedAddress: true })
const thrice = <T>(look: T) => [look, look, look]

describe('a shared address that a refused command was not sent to', () => {
  const beside = (...looks: Script) => runAtNodes(...thrice(refusing), behindOne([], looks))

  test('is looked at until gossip has reached every daemon behind it', async () => {
    const { answer, pauses } = await beside(nowhere, nowhere, nowhere, found([held]))
    expect([answer, pauses]).toEqual([withNodes(sent('already-known'), '1/4'), [2500]])
  })

  test('is believed once one of three looks shows the command, however slow the others are', async () => {
    const { ports } = portsOf([...thrice(refusing), behindOne([], [found([held])])])
    let looks = 0
    const oneHangs = ports.map((port): NodePort => {
      const query: NodePort['query'] = (...question) =>
        port.name === 'D' && question[0].name === 'findCommand' && looks++ < 2
          ? new Promise(() => undefined)
          : port.query(...question)
      return { ...port, query }
    })
    const { answer, pauses } = await runAt(oneHangs)
    expect([answer, pauses, looks]).toEqual([withNodes(sent('already-known'), '1/4'), [], 3])
  })

  test.each<['refused' | 'unknown', string, Script]>([
    ['refused', 'no look shows the command', thrice(at(99, nowhere))],
    ['unknown', 'another command with the nonce came late', [nowhere, nowhere, found([rival])]],
    ['unknown', 'a block of one daemon holds another command with the nonce', thrice(found([], [rival], '8'))],
    ['unknown', 'one daemon bootstraps', thrice(bootstrapping)],
    ['unknown', 'one daemon cannot be connected to', thrice(unsent)],
  ])('leaves the outcome %s where %s', async (outcome, _where, looks) => {
    expect((await beside(...looks)).answer).toEqual(withNodes(nonceTaken(outcome), '0/4'))
  })
})

test('a shared address that takes nothing and shows nothing may hold the command from an earlier request', async () => {
  const silent = behindOne([unsent, unsent], [cut, cut, cut, cut, cut, cut])
  expect(await answerOf(refusing, silent)).toEqual(withNodes(nonceTaken('unknown'), '0/2'))
})

test('a refusal does not stand if time runs out before gossip has reached every daemon behind a shared address', async () => {
  const ended = await run({ sendPayment: [badNonce(5, 5)], findCommand: [nowhere], timeLeftMs: () => 1900 })
  expect(ended.answer).toEqual(nonceTaken('unknown'))
})

test('a node that bootstraps, and then has no ledger for the second submission, leaves nothing open', async () => {
  const unknownSender = refusedBy(
    "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a transaction in transaction pool.",
  )
  const restarting = { sendPayment: [unknownSender, bootstrapping], findCommand: [bootstrapping] }
  expect(await answerOf(refusing, restarting)).toEqual(withNodes(nonceTaken('refused'), '0/2'))
})
