// The right answers for a command that no node shows: the indexer may know it.
import { at } from '../../exact-json.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { pendingCommand } from '../bodies/commands.ts'
import { commandOf, isZkapp, zkappCommandOf } from '../bodies/old-block-body.ts'
import { bareZkapp } from '../bodies/zkapp-commands.ts'
import { digitsOf } from '../sent/scalars.ts'
import { isReadable, type Sent } from '../sent/sent.ts'
import { flag, integer, list, text } from '../sent/values.ts'
import {
  type Asked,
  answer,
  failureOf,
  hintOf,
  inBlock,
  includedSeconds,
  isAsked,
  isOfContent,
  openSeconds,
  sendingOf,
  type Told,
} from './node-evidence.ts'
import { answerTo, lacksConstantsOnly, ofOtherChain, type Right, shown, statuses } from './right.ts'
import { isContradictory } from './right-old-block.ts'

/** So many blocks at the end of an indexer's chain may be abandoned ones. */
const maxAbandoned = 10n

/** The node's k; undefined if it does not tell. */
function kOf(genesis: Sent): bigint | undefined {
  if (genesis.state !== 'data' || lacksConstantsOnly(genesis.findings.broken)) return undefined
  return integer(genesis.data, 'daemonStatus', 'consensusConfiguration', 'k')
}

function userCommandOf(hit: unknown): object {
  const { id: _, ...command } = pendingCommand(commandOf(hit))
  return command
}

/** True where the indexer's command has the content of the terms; its texts of memos stand for one memo each here. */
function isOfContentIndexed(hit: unknown, { terms }: Asked): boolean | undefined {
  if (terms?.to === undefined) return undefined
  if (at(hit, 'kind') === 'ZKAPP') return false
  const command = Object({ ...commandOf(hit), validUntil: terms.valid_until })
  return isOfContent(command, { hash: '', terms })
}

/**
 * What the indexer alone tells of a command that it lists below the node's frontier.
 *
 * @param absentByNonce undefined where it has the hash; otherwise what to tell while it is no evidence
 */
function fromIndexerAlone(
  hit: unknown,
  [own, nodeHeight]: readonly [bigint, bigint],
  asked: Asked,
  searched: object,
  absentByNonce?: readonly Right[],
): readonly Right[] {
  const genesis = answerTo(asked.exchanges, 'nodeGenesis')
  if (genesis === undefined) return []
  if (genesis.state !== 'data') return statuses(...genesis.statuses)
  const { broken, doubtful } = genesis.findings
  if (broken.length > 0 && !lacksConstantsOnly(broken)) return statuses(502)
  const k = kOf(genesis)
  const height = integer(hit, 'blockHeight')
  const beside = doubtful.length > 0 || lacksConstantsOnly(broken) ? statuses(502, 503) : []
  if (k === undefined || own - height < k) return [...beside, ...(absentByNonce ?? statuses(503))]
  const depth = (own < nodeHeight ? own : nodeHeight) - height
  const right = shown(() => {
    const dateTime = new Date(text(hit, 'block', 'dateTime')).toISOString()
    const block = { stateHash: text(hit, 'block', 'stateHash'), blockHeight: height, dateTime }
    const surety = depth >= k ? { confirmations: k, final: true } : { confirmations: depth }
    const command = isZkapp(hit) ? bareZkapp(zkappCommandOf(hit)) : userCommandOf(hit)
    const hash = text(hit, 'hash')
    const likeness = absentByNonce === undefined || isOfContentIndexed(hit, asked)
    if (likeness !== true) {
      return answer(asked, { state: 'absent', sending: 'nonce-used', by: hash, command }, searched)
    }
    const chainHash = absentByNonce === undefined ? {} : { chainHash: hash }
    const found = { state: 'included', ...chainHash, block, ...surety, ...failureOf(hit), command }
    return answer(asked, found, searched, depth >= k ? 86_400 : includedSeconds)
  })
  return [...beside, ...(right === undefined ? statuses(502, 503) : [right])]
}

/** The answers by what the indexer shows beside a node that shows nothing. */
export function withIndexer(
  node: unknown,
  asked: Asked,
  searched: object,
  seen: Exclude<Told, { readonly right: Right }> | undefined,
): readonly Right[] {
  const sending = asked.terms && { state: 'absent', ...sendingOf(node, asked) }
  const told = seen ?? (sending && { whole: sending, partly: sending })
  const named = answerTo(asked.exchanges, 'indexedTransaction') ?? answerTo(asked.exchanges, 'indexedNonce')
  if (named === undefined) return []
  const absent = (indexer: boolean): readonly Right[] => {
    const places = { ...searched, indexer }
    if (told !== undefined) return [answer(asked, indexer ? told.whole : told.partly, places)]
    const body = { message: 'No transaction found for that hash.', ...hintOf(asked), searched: places }
    return indexer ? [{ status: 404, body, maxSeconds: openSeconds }] : statuses(503)
  }
  if (!isReadable(named)) return absent(false)
  const { data, findings } = named
  const doubt = findings.doubtful.length > 0 ? absent(false) : []
  const [byHash, byNonce] = [list(data, 'byHash'), list(data, 'byNonce')]
  const isOther = (hit: unknown) => !flag(hit, 'canonical') || isContradictory(hit)
  const isOfTerms = (hit: unknown) =>
    at(hit, 'sender') === asked.terms?.from && digitsOf(at(hit, 'nonce')) === asked.terms?.nonce
  if ([...byHash, ...byNonce].some(isOther) || !byHash.every(isAsked(asked)) || !byNonce.every(isOfTerms)) {
    return absent(false)
  }
  const tip = list(node, 'bestChain').at(-1)
  const [nodeHeight, own] = [heightOf(tip), at(data, 'tip')]
  if (own === null) return absent(false)
  const isOfChain = at(own, 'genesisStateHash') === at(node, 'genesisBlock', 'stateHash')
  if (!isOfChain) return ofOtherChain(asked.exchanges, absent(false))
  const ownHeight = integer(own, 'blockHeight')
  const oldest = heightOf(list(node, 'bestChain')[0])
  const wanted = oldest + maxAbandoned - 1n
  const isWhole = ownHeight >= (wanted < nodeHeight ? wanted : nodeHeight)
  const hit = byHash[0] ?? byNonce[0]
  if (hit === undefined) return [...absent(isWhole), ...doubt]
  const height = integer(hit, 'blockHeight')
  if (height > nodeHeight) return [...statuses(503), ...doubt]

  const held = answerTo(asked.exchanges, 'commandsAtHeight')
  if (held === undefined) return doubt
  if (held.state === 'trouble') return [...statuses(...held.statuses), ...doubt]
  const places = { ...searched, indexer: true }
  if (held.state === 'not-found') {
    const byUser = byHash.length > 0 ? undefined : absent(isWhole)
    const deep = fromIndexerAlone(hit, [ownHeight, nodeHeight], asked, places, byUser)
    return [...deep, ...doubt, ...statuses(...held.statuses)]
  }
  if (held.findings.broken.length > 0) return [...statuses(502), ...doubt]
  const uncertain = held.findings.doubtful.length > 0 ? statuses(502, 503) : []
  const block = at(held.data, 'block')
  if (heightOf(block) !== height || !hasConsistentCommands(block)) return [...statuses(502), ...doubt]
  const shownTip = list(held.data, 'bestChain').at(-1)
  const isBehind = shownTip === undefined || heightOf(shownTip) < nodeHeight
  const isSame = at(block, 'stateHash') === at(hit, 'block', 'stateHash')
  if (isBehind || !isSame) return [...statuses(503), ...doubt, ...uncertain]
  const inIts = shown(() => inBlock(asked, block, nodeHeight - height, places))
  if (inIts === undefined) return [...statuses(502, 503), ...doubt, ...uncertain]
  const isReplaced = inIts.right === undefined && at(inIts.whole, 'state') === 'replaced'
  const right = isReplaced && !isWhole ? absent(false) : [inIts.right ?? answer(asked, inIts.whole, places)]
  return [...right, ...doubt, ...uncertain]
}
