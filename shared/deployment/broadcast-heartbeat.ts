// The payments that a heartbeat posts to see that broadcasts reach a node. They can never be applied: they were valid
// until slot 1, and the key of their sender was thrown away after it had signed one for each kind of network.

const sender = 'B62qivpmdeAWf5TK7JAqfKsNXSkxza685r8h1pKUc8GcrENJ1XfupXC'

const payload = {
  from: sender,
  to: sender,
  fee: '100000000',
  amount: '1',
  nonce: '0',
  memo: 'heartbeat',
  validUntil: '1',
} as const

/** Bodies of `POST /broadcast/transaction`, by network. */
export const heartbeatPayments = {
  mainnet: {
    publicKey: sender,
    signature: {
      field: '3568603525695561106614751640187065704327191943823042669679278701365609757298',
      scalar: '11344670809918152831058630851845557057304876665998463761405440972532770595083',
    },
    payload,
  },
  devnet: {
    publicKey: sender,
    signature: {
      field: '2010079857051742097857841683825793436994195481078255436957478082737404240701',
      scalar: '13890410327423429955470947323355386268453572694481380118619826565607124230542',
    },
    payload,
  },
} as const

/** The codes by which a node shows that it has read and judged the payment. */
export const heartbeatCodes: readonly string[] = ['sender-unknown', 'expired']

/** True for the parsed body of a heartbeat's broadcast. Anyone can send one; it says nothing about other requests. */
export const isHeartbeatPayment = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'publicKey' in body && body.publicKey === sender
