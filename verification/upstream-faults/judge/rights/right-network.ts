// The right answers to the question for the network's constants.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, type Right, shown, statuses } from './right.ts'

/** @param nowMs by the service's clock */
export function rightNetwork(exchanges: readonly Exchange[], nowMs: number): readonly Right[] {
  const node = answerTo(exchanges, 'networkConstants')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  const [tip] = list(node.data, 'bestChain')
  if (tip === undefined) return statuses(503)
  const configured = at(node.data, 'daemonStatus', 'consensusConfiguration')
  const constants = at(node.data, 'genesisConstants')
  const name = text(node.data, 'networkID').split(':').at(-1) ?? ''
  // A name goes to wallets: one that none has may be refused.
  const isUnusual = !/^\w+$/.test(name)
  if (name === '') return statuses(502)
  const body = shown(() => ({
    networkName: name,
    chainId: text(node.data, 'daemonStatus', 'chainId'),
    genesisStateHash: text(node.data, 'genesisBlock', 'stateHash'),
    k: integer(configured, 'k'),
    slotDurationMs: integer(configured, 'slotDuration'),
    slotsPerEpoch: integer(configured, 'slotsPerEpoch'),
    coinbase: String(integer(constants, 'coinbase')),
    accountCreationFee: String(integer(constants, 'accountCreationFee')),
    minimumFee: '1000000',
  }))
  const ageMs = BigInt(nowMs) - integer(tip, 'protocolState', 'blockchainState', 'date')
  const isBrief = ageMs > 5n * integer(configured, 'slotDuration')
  const right = body === undefined ? [] : [{ status: 200, body, missing: [], isBrief }]
  return right.length === 0 || doubtful.length > 0 || isUnusual ? [...right, ...statuses(502)] : right
}
