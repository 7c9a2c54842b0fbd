// What is right for one block by its hash.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { indexerBlockBody } from '../bodies/old-block-body.ts'
import { isReadable, sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { lastSent, type Right, shown, statuses } from './right.ts'
import { rightFrontierBlock } from './right-blocks.ts'

/** Whether the indexer names two receivers. */
const isContradictory = (command: unknown): boolean => {
  const named = [at(command, 'receiver_account', 'publicKey'), at(command, 'to')]
  return named.every((key) => typeof key === 'string') && named[0] !== named[1]
}

/** A block that the node does not hold: only the indexer can know it. */
function rightOldBlock(exchanges: readonly Exchange[], stateHash: string): readonly Right[] {
  const answers = exchanges.filter(({ upstream }) => upstream === 'indexer').map(sentIn)
  if (!answers.every(isReadable)) return statuses(503)
  const found = answers.map(({ data }) => ({ block: at(data, 'block'), tip: at(data, 'tip') }))
  if (found.length === 0 || found.some(({ tip }) => tip === null)) return statuses(503)
  const isDoubted = answers.some(({ findings }) => findings.doubtful.length > 0)
  if (found.every(({ block }) => block === null)) return isDoubted ? statuses(404, 503) : statuses(404)
  // Asked twice, it said both.
  if (found.some(({ block }) => block === null)) return statuses(404, 503)

  const isOther = found.some(({ block }) => (at(block, 'stateHash') ?? stateHash) !== stateHash)
  if (isOther) return statuses(502, 503)
  const full = found.find(({ block }) => at(block, 'transactions') !== undefined)
  if (full === undefined) return statuses(503)
  const genesis = lastSent(exchanges, 'node', 'genesisBlock')
  if (genesis === undefined) return []
  if (genesis.state !== 'data') return statuses(...genesis.statuses)
  if (genesis.findings.broken.length > 0) return statuses(502)
  const genesisHash = at(genesis.data, 'genesisBlock', 'stateHash')
  // A block of another chain is none of this one; whether the indexer's word is worth anything then is open.
  if (at(full.tip, 'genesisStateHash') !== genesisHash) return statuses(404, 502, 503)
  if (list(full.block, 'transactions', 'userCommands').some(isContradictory)) return statuses(502, 503)
  const body = shown(() => ({ block: indexerBlockBody(full.block) }))
  const isDoubtful =
    isDoubted ||
    at(full.block, 'genesisStateHash') !== genesisHash ||
    at(full.block, 'protocolState', 'consensusState', 'blockHeight') !==
      at(full.block, 'protocolState', 'consensusState', 'blockchainLength')
  const right = body === undefined ? [] : [{ status: 200, body, missing: [] }]
  return right.length === 0 || isDoubtful ? [...right, ...statuses(503)] : right
}

export function rightBlock(exchanges: readonly Exchange[], stateHash: string): readonly Right[] {
  const node = lastSent(exchanges, 'node', 'block(stateHash:')
  if (node === undefined) return []
  if (node.state === 'trouble') return statuses(...node.statuses)
  if (node.state === 'not-found') return [...rightOldBlock(exchanges, stateHash), ...statuses(...node.statuses)]
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  const hasNoTip = ['bestChain', 'tip'].some(
    (key) => at(node.data, key) !== undefined && list(node.data, key).length === 0,
  )
  if (hasNoTip) return statuses(503)
  const right = rightFrontierBlock(node.data, exchanges, stateHash)
  return doubtful.length > 0 ? [...right, ...statuses(502)] : right
}
