// The right answers to the question for the tokens of a key.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { minaTokens } from '../bodies/commands.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, type Right, shown, statuses } from './right.ts'

function balanceOf(account: unknown) {
  const symbol = at(account, 'tokenSymbol')
  return {
    tokenId: text(account, 'tokenId'),
    balance: String(integer(account, 'balance', 'total')),
    ...(symbol !== null && symbol !== '' && { symbol: text(account, 'tokenSymbol') }),
  }
}

export function rightTokens(exchanges: readonly Exchange[], publicKey: string): readonly Right[] {
  const node = answerTo(exchanges, 'accountsByPublicKey')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  if (list(node.data, 'bestChain').length === 0) return statuses(503)
  const accounts = list(node.data, 'accounts')
  const tokens = new Set(accounts.map((account) => at(account, 'tokenId')))
  const isOther = accounts.some((account) => at(account, 'publicKey') !== publicKey)
  if (isOther || tokens.size < accounts.length) return statuses(502)
  const isMina = (account: unknown) => minaTokens.has(at(account, 'tokenId'))
  const minaFirst = accounts.toSorted((left, right) => Number(isMina(right)) - Number(isMina(left)))
  const body = shown(() => ({ tokens: minaFirst.map(balanceOf) }))
  const right = body === undefined ? [] : [{ status: 200, body, missing: [] }]
  return right.length === 0 || doubtful.length > 0 ? [...right, ...statuses(502)] : right
}
