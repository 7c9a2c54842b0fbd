// Lines of orders.jsonl that an exchange's program must never pay, each with the reason that it gives.

export interface BadOrder {
  readonly line: string | Uint8Array
  /** Undefined where the program cannot read it. */
  readonly id?: string
  readonly reason: string
}

export interface Order {
  readonly id: string
  readonly to: string
  readonly amount: string
  readonly memo: string
}

const noKey = 'to is not a public key: a letter is wrong, missing or too many'
const noAmount = 'amount is not a whole number of nanomina from 1 to 18446744073709551615'

/** A key with one letter mistyped. */
const mistyped = (key: string): string => `${key.slice(0, 30)}${key[30] === 'x' ? 'y' : 'x'}${key.slice(31)}`

/** The lines whose content is wrong: all but those that differ from an order of before. */
function unreadable(to: string): readonly BadOrder[] {
  const id = 'never'
  const good = { id, to, amount: '1000000000', memo: 'never' }
  const having = (members: object, reason: string) => ({ line: JSON.stringify({ ...good, ...members }), id, reason })
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  return [
    having({ to: mistyped(to) }, noKey),
    having({ to: '' }, 'to is not a text'),
    having({ to: to.slice(1) }, noKey),
    having({ memo: 'x'.repeat(33) }, 'memo has 33 bytes, more than 32'),
    having({ memo: 'é'.repeat(17) }, 'memo has 34 bytes, more than 32'),
    having({ memo: 'half of a pair: \ud83d' }, 'memo is not a text'),
    having({ memo: null }, 'memo is not a text'),
    ...['1.5', '-1', '0', '01', '1e9', ' 1', '1\n', '１', '18446744073709551616', '9'.repeat(30)].map((amount) =>
      having({ amount }, noAmount),
    ),
    ...[1_000_000_000, null, ['1'], ''].map((amount) => having({ amount }, 'amount is not a text')),
    having({ amount: undefined }, 'no amount'),
    having({ to: undefined }, 'no to'),
    having({ memo: undefined, memmo: 'never' }, 'unknown member "memmo"'),
    having({ Amount: '1' }, 'unknown member "Amount"'),
    having({ raise: 'w0' }, 'raise stands alone'),
    { line: JSON.stringify({ ...good, id: 7 }), reason: 'id is not a text' },
    { line: JSON.stringify({ ...good, id: undefined }), reason: 'no id' },
    { line: JSON.stringify(good).replace('{', '{"amount":"1",'), reason: 'a member stands twice' },
    { line: JSON.stringify(good).slice(0, 60), reason: 'not JSON' },
    { line: 'null', reason: 'not an object with id, to, amount and memo' },
    { line: '[]', reason: 'not an object with id, to, amount and memo' },
    { line: '{}', reason: 'no id' },
    { line: '['.repeat(9000), reason: 'not JSON' },
    { line: bytes(JSON.stringify({ ...good, memo: 'Käse' })), reason: 'not UTF-8' },
    { line: JSON.stringify({ ...good, memo: 'x'.repeat(2 ** 20) }), reason: 'the line is longer than 10000 bytes' },
    { line: '{"raise":"nobody"}', reason: 'there is no order nobody' },
    { line: '{"cancel":"nobody"}', reason: 'there is no order nobody' },
    { line: '{"cancel":7}', reason: 'cancel is not a text' },
  ]
}

/**
 * @param good an order that stands before them
 * @param wallet that pays
 */
export function badOrders(good: Order, wallet: string): readonly BadOrder[] {
  const changed = ({ id, ...rest }: Partial<Order>) => ({
    line: JSON.stringify({ ...good, ...rest }),
    id: good.id,
    reason: 'another order has this id',
  })
  return [
    ...unreadable(good.to),
    {
      line: JSON.stringify({ id: 'itself', to: wallet, amount: '1000000000', memo: '' }),
      id: 'itself',
      reason: 'to is the wallet itself: nothing would be paid',
    },
    changed({ amount: String(BigInt(good.amount) + 1n) }),
    changed({ memo: 'another' }),
    { line: JSON.stringify({ raise: good.id, cancel: good.id }), reason: 'raise stands alone' },
  ]
}
