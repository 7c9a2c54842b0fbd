// Programs that read.
import { get, json, of, page } from './row.ts'

const hashes = 'nextEpochLedgerHash snarkedLedgerHash stagedLedgerHash stakingEpochLedgerHash'
const summaryTexts = { text: `chainId stateHash previousStateHash ${hashes}`, date: 'dateTime' }
const summaryNumbers = 'blockchainLength epoch globalSlot minWindowDensity slot'
const supplies = 'circulatingSupply lockedSupply totalCurrency'
const wholeSummary = { ...summaryTexts, integer: summaryNumbers, 'MINA text': supplies }

const counted = of('account', 'totalTx totalBlocks totalSnarks')
const accountNumbers = `account.nonce account.countPendingTransactions ${counted}`
const accountTexts = of('account', 'publicKey username delegate votingFor receiptChainHash')
const total = { 'MINA text': 'account.balance.total' }
const totals = of('account', 'epochTotalStakingBalance nextEpochTotalStakingBalance')
const stakes = of('account', 'epochStakingAccount nextEpochStakingAccount epochDelegators nextEpochDelegators')
const locked = { 'MINA text or null': 'account.balance.lockedBalance' }
const tip = 'status.blockchainLength account.balance.blockHeight'
const itself = { ...total, text: accountTexts, integer: accountNumbers }
const withTip = { ...total, ...locked, text: `${accountTexts} status.syncStatus`, integer: `account.nonce ${tip}` }
const ofCommand = (start: string, fields: string) => of(`${start}.transactions.userCommands[]`, fields)

/** The members of a block that the Swift wallet decodes, from the list and from a single block. */
const swiftBlock = (start: string) => {
  const [token, workIds] = [ofCommand(start, 'feePayer.token'), `${start}.snarkJobs[].workIds[]`]
  const dates = of(`${start}.protocolState.blockchainState`, 'date utcDate')
  return {
    reads: {
      text: `${of(start, 'stateHash stateHashField receivedTime')} ${ofCommand(start, 'id hash kind memo from to')} ${token}`,
      date: `${start}.dateTime`,
      integer: `${start}.blockHeight ${dates} ${ofCommand(start, 'amount fee nonce feeToken')} ${workIds}`,
    },
    more: {
      ...json,
      cannot: 'the contract has tokens as numbers, and work ids as objects',
      unread: [token, workIds],
    },
  }
}
const [listed, alone] = [swiftBlock('blocks[]'), swiftBlock('block')]

export const readers = [
  get('a wallet in Swift', '/summary', { ...summaryTexts, integer: `${summaryNumbers} totalCurrency` }, 'all fields', {
    ...json,
    cannot: 'its model is older than the contract, where `totalCurrency` is a text',
    unread: ['totalCurrency'],
  }),
  get('a wallet in Swift', '/accounts/{account}', { ...itself, list: stakes }, 'all fields', json),
  get('a wallet in Swift', '/accounts/{payer}', { text: 'account.firstPendingTransaction[]' }, 'a list of texts', {
    ...json,
    cannot: 'the service lists the pending command itself',
    unread: ['account.firstPendingTransaction[]'],
  }),
  get('a wallet in Swift', '/blocks?limit=3', listed.reads, 'all fields', listed.more),
  get('a wallet in Swift', '/blocks/{block}', alone.reads, 'all fields', alone.more),
  get(
    'a chat bot in C#',
    '/accounts/{account}',
    { ...withTip, 'MINA text': `${totals} account.balance.total` },
    'balance, stake and height',
  ),
  get(
    'a chat bot in C#',
    '/blocks',
    {
      date: 'blocks[].dateTime',
      text: ofCommand('blocks[]', 'from to hash'),
      integer: `blocks[].protocolState.consensusState.totalCurrency ${ofCommand('blocks[]', 'amount fee feePayer.token')}`,
    },
    'blocks with their dates and commands',
  ),
  get('a chat bot in C#', '/blocks/{block}', { integer: ofCommand('block', 'amount fee') }, 'commands with fees'),
  get('mina-block-explorer before GraphQL', '/summary', wholeSummary, 'all fields', page),
  get('mina-block-explorer', '/accounts/{account}', itself, 'texts and counters, never null', page),
  get('mina-block-explorer', '/accounts/{account}', itself, 'texts and counters, never null', {
    ...page,
    unless: 'an indexer',
    cannot: 'a node does not count what it no longer holds',
    unread: counted.split(' '),
  }),
  get(
    'mina-block-explorer',
    '/blocks?limit=10',
    { text: 'blocks[].snarkJobs[].prover', integer: 'blocks[].snarkJobs[].fee blocks[].transactions.coinbase' },
    'blocks with their proofs',
    page,
  ),
  get('the o1-labs faucet', '/accounts/{account}', { integer: 'account.nonce' }, 'the next nonce'),
  get('the o1-labs faucet', '/accounts/{nobody}', { text: 'message', nothing: 'account' }, 'anything but 200', {
    status: 404,
  }),
  get('a React Native wallet', '/summary', { integer: 'epoch' }, 'the epoch'),
  get(
    'a React Native wallet',
    '/accounts/{account}',
    { ...locked, 'MINA text': totals, text: 'status.syncStatus', integer: tip },
    'the stake of a delegate',
  ),
  get(
    'the MetaMask snap for Mina, whose base address ends in a slash',
    '//accounts/{account}',
    { ...total, integer: 'account.nonce' },
    'balance and nonce',
    page,
  ),
  get('a delegation page for Ledger', '/accounts/{account}', { ...total, integer: 'account.nonce' }, 'the nonce', page),
  get(
    'a delegation page for Ledger',
    '/blocks?limit=1',
    { integer: ofCommand('blocks[]', 'fee') },
    'its fees, to suggest one',
    page,
  ),
  get('Pallad', '/summary', { integer: 'epoch slot' }, 'how far the epoch is', page),
  get('Pallad', '/accounts/{account}', withTip, 'all fields', page),
  get('a portfolio script in Python', '/accounts/{account}', total, 'MINA, for float()'),
  get(
    'a staking script in Python',
    '/accounts/{account}',
    { 'MINA text': of('account', 'epochStakingAccount[].balance nextEpochStakingAccount[].balance') },
    'a record of each epoch',
  ),
  get(
    'a fork mapper in Python',
    '/blocks/{block}',
    { text: 'block.stateHash', integer: 'block.protocolState.blockchainState.date', flag: 'block.canonical' },
    'the coinbase as the number 360000000000',
    { holds: /"coinbase":360000000000[,}]/ },
  ),
  get('a fork mapper in Python', '/blocks/{noBlock}', { nothing: 'block' }, 'JSON without a block', { status: 404 }),
  get(
    'a block collector in Python',
    '/blocks?limit=1',
    {
      text: `blocks[].snarkJobs[].blockStateHash ${ofCommand('blocks[]', 'blockStateHash')}`,
      integer: `blocks[].snarkJobs[].fee blocks[].transactions.feeTransfer[].fee ${ofCommand('blocks[]', 'fee')}`,
    },
    'every list of the newest block',
  ),
  get('three monitors, one of which restarts its node', '/', { integer: 'blockchainLength' }, 'the height'),
  get('archive scripts', '/summary', { integer: 'blockchainLength' }, 'the height'),
  get('a script with jq', '/blocks', { integer: '[].block.blockHeight' }, 'the height', {
    cannot: 'the contract’s list stands under `blocks`',
    unread: ['[].block.blockHeight'],
  }),
  get('two scripts that take the last number of the text', '/summary', {}, 'the height', {
    holds: /"totalCurrency":"\d+\.\d{9}"\}$/,
    cannot: 'that number is of the supply',
  }),
  get('a market data driver', '/summary', { 'MINA text': 'totalCurrency circulatingSupply' }, 'MINA, for Number()'),
  get('an oracle node', '/summary', { 'MINA text': 'lockedSupply' }, 'the same text for the same tip'),
  get('an oracle node', '/blocks?limit=10', { text: 'blocks[].stateHash' }, 'the same text for the same tip'),
  get('an oracle node', '/accounts/{account}', itself, 'the same text for the same tip'),
  get('an oracle’s configuration', '/blocks?limit=1', { integer: 'blocks[].blockHeight' }, 'an integer'),
  get('a command line in Rust', '/summary', wholeSummary, 'all fields'),
  get('a command line in Rust', '/accounts/{account}', withTip, 'all fields, without which it panics'),
  get('the faucet of a game', '/accounts/{account}', total, 'MINA, for Number()', page),
  get('the faucet of a game', '/accounts/{nobody}', { nothing: 'account' }, 'JSON without an account', {
    ...page,
    status: 404,
  }),
  get('a tool of a language model', '/accounts/{account}', { list: stakes }, 'lists that it deletes'),
  get('a tool of a language model', '/accounts/{nobody}', {}, 'anything but 200', { status: 404 }),
  get('a block downloader in Rust', '/blocks/{block}', { text: 'block.stateHash' }, 'JSON to save'),
  get('three clients of 2023 and 2024', '/blocks/{block}', { text: 'stateHash' }, 'its fields at the top', {
    cannot: 'the contract and two older clients have them under `block`',
    unread: ['stateHash'],
  }),
  get('two explorers (Qwik, Next)', '/summary', wholeSummary, 'a chain to show', page),
  get('two explorers (Qwik, Next)', '/blocks', { text: 'blocks[].creator' }, 'blocks to show', page),
  get('two explorers (Qwik, Next)', '/accounts/{account}', withTip, 'an account to show', page),
]
