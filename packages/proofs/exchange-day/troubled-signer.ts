// Signs as docs/recipes/sign.mjs does, but has the trouble that the payment's memo names: `fails once`, `fails always`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Client from 'mina-signer'

const { NETWORK = '', KEY = '', SIGNER_FOLDER = '' } = process.env
const client = new Client({ network: NETWORK === 'mainnet' ? 'mainnet' : 'testnet' })

type Payment = Parameters<typeof client.signPayment>[0]

const payment: Payment = JSON.parse(readFileSync(0, 'utf8'))
const signed = (terms: Payment) => client.signPayment(terms, KEY)
const answered = (terms: Payment) => ({
  hash: client.hashPayment(signed(terms), { berkeley: true }),
  signed: signed(terms),
})
const print = (value: unknown) => console.log(JSON.stringify(value))
/** What it printed the last time. */
const lastFile = join(SIGNER_FOLDER, 'last.json')

const troubles: Readonly<Record<string, () => void>> = {
  fails: () => process.exit(1),
  // Until its program is gone: a killed one does not take it along.
  hangs: () => {
    const program = process.ppid
    setInterval(() => process.ppid !== program && process.exit(), 500)
  },
  'prints rubbish': () => console.log('PIN, please: {"hash":'),
  'prints a list': () => print([answered(payment)]),
  'prints an error': () => print({ error: 'locked' }),
  'prints no hash': () => print({ ...answered(payment), hash: 'none' }),
  'signs no payment': () => print({ ...answered(payment), signed: {} }),
  'signs less': () => print(answered({ ...payment, amount: '1' })),
  'loses the memo': () => print(answered({ ...payment, memo: '' })),
  'repeats a hash': () => print({ ...answered(payment), hash: JSON.parse(readFileSync(lastFile, 'utf8')).hash }),
  // Of another payment, so that it does not fit.
  'signs wrongly': () => {
    const { signature } = signed({ ...payment, amount: '1' })
    const { hash, signed: right } = answered(payment)
    print({ hash, signed: { ...right, signature } })
  },
}

const memo = payment.memo ?? ''
const trouble = troubles[memo.replace(/ (?:once|always)$/, '')]
const marker = join(SIGNER_FOLDER, `asked-${memo}`)
if (trouble !== undefined && (memo.endsWith(' always') || !existsSync(marker))) {
  writeFileSync(marker, '')
  trouble()
} else {
  const answer = answered(payment)
  writeFileSync(lastFile, JSON.stringify(answer))
  print(answer)
}
