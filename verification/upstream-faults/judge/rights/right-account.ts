// What is right for an account.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { accountBody, timingOf } from '../bodies/account-body.ts'
import { isConsistent } from '../bodies/commands.ts'
import { isDoubtfulLedger, stakingFields } from '../bodies/staking.ts'
import { isReadable, sentIn } from '../sent/sent.ts'
import { integer, list, text } from '../sent/values.ts'
import { isSilent, lastSent, type Right, shown, statuses } from './right.ts'

/** Fields that come together, and the ways in which they may come. */
interface Part {
  readonly names: readonly string[]
  /** The fields, or nothing where they must be missing. */
  readonly fields: object | undefined
  /** Whether they may be missing although they are there. */
  readonly mayLack: boolean
}

function counters(exchanges: readonly Exchange[], publicKey: string, node: unknown): Part {
  const names = ['totalTx', 'totalBlocks', 'totalSnarks', 'username']
  const sent = lastSent(exchanges, 'indexer', 'accounts(')
  if (!isReadable(sent)) return { names, fields: undefined, mayLack: true }
  const tip = at(sent.data, 'tip')
  const account = list(sent.data, 'accounts').find((row) => at(row, 'publicKey') === publicKey)
  const isOurs = tip !== null && at(tip, 'genesisStateHash') === at(node, 'genesisBlock', 'stateHash')
  const height = integer(node, 'bestChain', 0, 'protocolState', 'consensusState', 'blockHeight')
  if (!isOurs || account === undefined || integer(tip, 'blockHeight') < height - 10n) {
    return { names, fields: undefined, mayLack: true }
  }
  const fields = {
    totalTx: integer(account, 'pk_total_num_user_commands'),
    totalBlocks: integer(account, 'pk_total_num_blocks'),
    totalSnarks: integer(account, 'pk_total_num_snarks'),
    username: at(account, 'username') === null ? 'Unknown' : text(account, 'username'),
  }
  return { names, fields, mayLack: sent.findings.doubtful.length > 0 || list(sent.data, 'accounts').length > 1 }
}

interface Asked {
  readonly exchanges: readonly Exchange[]
  /** Of earlier requests to the same instance: a ledger that was read well may be kept, and nothing else. */
  readonly earlier: readonly Exchange[]
  readonly publicKey: string
}

function staking(
  { exchanges, earlier, publicKey }: Asked,
  ledgerHash: unknown,
  names: readonly [own: string, delegators: string, total: string],
): Part {
  const isLedger = ({ name, variables }: Exchange) => name === 'stakesInLedger' && variables.ledgerHash === ledgerHash
  const [now, kept] = [exchanges.findLast(isLedger), earlier.findLast(isLedger)]
  const [exchange, mayLack] = [now ?? kept, isSilent(lastSent(exchanges, 'indexer', 'accounts('))]
  const sent = exchange && sentIn(exchange)
  const chain = lastSent(exchanges, 'node', 'daemonStatus')
  // Without a chain id that is believed, the ledger is not asked for.
  const isChainDoubtful = !isReadable(chain) || chain.findings.doubtful.length > 0
  const none: Part = { names, fields: undefined, mayLack: now !== undefined || mayLack || isChainDoubtful }
  if (!isReadable(sent) || !isReadable(chain)) return none
  const fields = stakingFields(sent.data, { ledgerHash, publicKey }, text(chain.data, 'daemonStatus', 'chainId'))
  if (fields === undefined) return none
  const [own, delegators, total] = names
  const isDoubtful = [sent, chain].some(({ findings }) => findings.doubtful.length > 0) || isDoubtfulLedger(sent.data)
  return {
    names,
    fields: { [own]: fields.own, [delegators]: fields.delegators, [total]: fields.total },
    mayLack: mayLack || isDoubtful,
  }
}

/** Every way in which parts that may be missing can be there or not. */
function combined(parts: readonly Part[]): readonly { readonly fields: object; readonly missing: readonly string[] }[] {
  return parts.reduce<readonly { readonly fields: object; readonly missing: readonly string[] }[]>(
    (ways, { names, fields, mayLack }) => [
      ...(fields === undefined ? [] : ways.map((way) => ({ ...way, fields: { ...way.fields, ...fields } }))),
      ...(mayLack ? ways.map((way) => ({ ...way, missing: [...way.missing, ...names] })) : []),
    ],
    [{ fields: {}, missing: [] }],
  )
}

export function rightAccount(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  publicKey: string,
): readonly Right[] {
  const node = lastSent(exchanges, 'node', 'account(publicKey:')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  if (list(node.data, 'bestChain').length === 0) return statuses(503)
  const account = at(node.data, 'account')
  if (account === null) return doubtful.length > 0 ? statuses(404, 502) : statuses(404)
  const pooled = list(node.data, 'pooledUserCommands')
  const isOther = at(account, 'publicKey') !== publicKey || pooled.some((command) => at(command, 'from') !== publicKey)
  if (isOther || at(account, 'nonce') === null || !pooled.every(isConsistent)) return statuses(502)
  const body = shown(() => accountBody(node.data))
  if (body === undefined) return statuses(502)

  const asked = { exchanges, earlier, publicKey }
  const consensus = at(node.data, 'bestChain', 0, 'protocolState', 'consensusState')
  const ledgerOf = (epoch: string) => at(consensus, epoch, 'ledger', 'hash')
  const parts = [
    counters(exchanges, publicKey, node.data),
    staking(asked, ledgerOf('stakingEpochData'), [
      'epochStakingAccount',
      'epochDelegators',
      'epochTotalStakingBalance',
    ]),
    staking(asked, ledgerOf('nextEpochData'), [
      'nextEpochStakingAccount',
      'nextEpochDelegators',
      'nextEpochTotalStakingBalance',
    ]),
  ]
  const timing = timingOf(account)
  const isTimed = timing.some((value) => value !== null)
  const hashes = new Set(pooled.map((command) => at(command, 'hash')))
  const isDoubtful =
    doubtful.length > 0 ||
    (isTimed && timing.includes(null)) ||
    (!isTimed && at(account, 'balance', 'locked') !== '0') ||
    ['receiptChainHash', 'votingFor', 'delegate'].some((key) => at(account, key) === null) ||
    hashes.size < pooled.length ||
    at(account, 'balance', 'total') !== at(account, 'balance', 'unknown')
  const answers = combined(parts).map(({ fields, missing }) => ({
    status: 200,
    body: { account: { ...body, username: 'Unknown', ...fields } },
    missing,
  }))
  const chain = lastSent(exchanges, 'node', 'daemonStatus')
  return [
    ...answers,
    ...(isDoubtful ? statuses(502) : []),
    // Whether a chain id that the node keeps to itself costs the staking fields or the whole answer is open.
    ...(isReadable(chain) || chain === undefined ? [] : statuses(502, 503, 504)),
  ]
}
