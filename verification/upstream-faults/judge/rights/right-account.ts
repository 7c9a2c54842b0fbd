// The right answers for an account.
import { at } from '../../exact-json.ts'
import { accountBody, heightOf, timingOf, zkappPayers } from '../bodies/account-body.ts'
import { isConsistent } from '../bodies/commands.ts'
import { isReadable } from '../sent/sent.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, named, type Right, shown, statuses } from './right.ts'
import { type Asked, indexerTip, stakingWays, type Way } from './right-staking.ts'

function counterWays({ exchanges, publicKey }: Asked, node: unknown): readonly Way[] {
  const missing = { fields: {}, missing: ['totalTx', 'totalBlocks', 'totalSnarks', 'username'] }
  const { tip, accounts = [], isDoubtful } = indexerTip(exchanges, publicKey) ?? {}
  const account = accounts.find((row) => at(row, 'publicKey') === publicKey)
  if (account === undefined || integer(tip, 'blockHeight') < heightOf(node) - 10n) return [missing]
  const fields = {
    totalTx: integer(account, 'pk_total_num_user_commands'),
    totalBlocks: integer(account, 'pk_total_num_blocks'),
    totalSnarks: integer(account, 'pk_total_num_snarks'),
    username: at(account, 'username') === null ? 'Unknown' : text(account, 'username'),
  }
  return [{ fields, missing: [] }, ...(isDoubtful ? [missing] : [])]
}

/** Every way in which parts can come together. */
const combined = (parts: readonly (readonly Way[])[]): readonly Way[] =>
  parts.reduce(
    (before, ways) =>
      before.flatMap(({ fields, missing, lasting = [] }) =>
        ways.map((way) => ({
          fields: { ...fields, ...way.fields },
          missing: [...missing, ...way.missing],
          lasting: [...lasting, ...(way.lasting ?? [])],
        })),
      ),
    [{ fields: {}, missing: [] }],
  )

export function rightAccount(asked: Asked): readonly Right[] {
  const { exchanges, publicKey } = asked
  const node = answerTo(exchanges, 'accountByPublicKey')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  if (list(node.data, 'bestChain').length === 0) return statuses(503)
  const account = at(node.data, 'account')
  if (account === null) return doubtful.length > 0 ? statuses(404, 502) : statuses(404)
  const pooled = list(node.data, 'pooledUserCommands')
  const keys = [at(account, 'publicKey'), ...pooled.map((command) => at(command, 'from'))]
  const isOther = [...keys, ...zkappPayers(node.data).map((payer) => at(payer, 'publicKey'))].some(
    (key) => key !== publicKey,
  )
  if (isOther || at(account, 'nonce') === null || !pooled.every(isConsistent)) return statuses(502)
  const body = shown(() => accountBody(node.data))
  if (body === undefined) return statuses(502)

  const consensus = at(node.data, 'bestChain', 0, 'protocolState', 'consensusState')
  const parts = [
    counterWays(asked, node.data),
    stakingWays(asked, consensus, 'epoch'),
    stakingWays(asked, consensus, 'nextEpoch'),
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
  const status = { syncStatus: text(node.data, 'syncStatus'), blockchainLength: heightOf(node.data) }
  const answers = combined(parts).map(({ fields, missing, lasting = [] }) => ({
    status: 200,
    body: { account: { ...body, username: 'Unknown', ...fields }, status },
    ...named(missing, lasting),
  }))
  const chain = answerTo(exchanges, 'nodeNetwork')
  return [
    ...answers,
    ...(isDoubtful ? statuses(502) : []),
    // A chain id that the node does not tell may cost the staking fields or the whole answer: the contract leaves it open.
    ...(isReadable(chain) || chain === undefined ? [] : statuses(502, 503, 504)),
  ]
}
