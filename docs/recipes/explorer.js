const api = new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:8080'
const [form, status, main] = ['form', '[role=status]', 'main'].map((name) => document.querySelector(name))

/** Where the service has what an id names, and what its 404 means. */
function placeOf(id) {
  if (/^\d+$/.test(id)) return [`blocks/height/${id}`, 'No block is known at this height.']
  if (['fees', 'health', 'pool'].includes(id)) return [id]
  if (/^B62\w+\/(?:tokens|transactions(?:\?before=[\w-]+)?)$/.test(id))
    return [`accounts/${id}`, 'No account has this key.']
  const encoded = encodeURIComponent(id)
  if (id.startsWith('B62')) return [`accounts/${encoded}`, 'No account has this key.']
  const kind = /^(?:5J|Ckp)/.test(id) ? 'transactions' : 'blocks'
  return [`${kind}/${encoded}`, 'No block or transaction has this hash.']
}

// Nodes with text, never HTML: what a service sends is not trusted to be what it should be.
const node = (tag, ...children) => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}
const titled = (made, title) => Object.assign(made, { title })
const link = (id, text = id) => Object.assign(node('a', text), { href: `#${id}` })

// Every digit as it came: JSON.parse alone rounds integers above 2^53.
const exact = (_key, value, { source }) => (/^-?\d+$/.test(source) ? BigInt(source) : value)

function time(raw) {
  const date = new Date(typeof raw === 'bigint' ? Number(raw) : raw)
  return Number.isNaN(date.getTime()) ? String(raw) : titled(node('time', date.toLocaleString()), raw)
}

function mina(nanomina) {
  const digits = String(nanomina).replace('-', '').padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
  return titled(node('span', `${nanomina < 0n ? '-' : ''}${text} MINA`), `${nanomina} nanomina`)
}

/** The text of a memo (version, tag, length, 32 bytes, checksum), or the memo itself where it holds no text. */
function memo(raw) {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const digits = Array.from(String(raw), (digit) => alphabet.indexOf(digit))
  if (digits.length !== 53 || digits.includes(-1)) return String(raw)
  const number = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n)
  // The checksum is against typing errors, and nobody has typed this.
  const pairs = number.toString(16).padStart(78, '0').match(/../g)
  const [version, tag, length, ...bytes] = pairs.map((pair) => Number.parseInt(pair, 16))
  if (version !== 0x14 || tag !== 1 || length > 32) return raw
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes.slice(0, length)))
    return titled(node('bdi', text), raw)
  } catch {
    return raw
  }
}

const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
const fees = ['fee', 'min', 'median', 'p75', 'economy', 'normal', 'fast']
const amounts = ['amount', 'balance', 'coinbase', 'totalCurrency', ...fees]
const times = ['dateTime', 'receivedTime', 'date', 'utcDate']

/** A value of an answer for people. @param parent what holds it under the key */
function view(value, key, parent) {
  // A zkApp's own program knows its state by place.
  if (key === 'state' && Array.isArray(value))
    return node('ol', ...value.map((one, place) => node('li', `${place}: ${one}`)))
  if (Array.isArray(value)) return node('ol', ...value.map((one) => node('li', view(one, key, parent))))
  if (typeof value === 'object' && value !== null) {
    const rows = Object.entries(value).map(([name, one]) => [node('dt', name), node('dd', view(one, name, value))])
    return node('dl', ...rows.map((row) => node('div', ...row)))
  }
  // The amount of another token counts in units of its own.
  const isMina = amounts.includes(key) && (parent.tokenId ?? minaToken) === minaToken
  if (isMina && /^-?\d+$/.test(value)) return mina(BigInt(value))
  if (times.includes(key) && value) return time(value)
  if (key === 'memo') return memo(value)
  if (/^\d+\.\d{9}$/.test(value)) return `${value} MINA`
  return /^(?:3N|5J|Ckp|B62)\w{48,52}$/.test(value) ? link(value) : String(value)
}

async function get(path) {
  const answer = await fetch(`${api}/${path}`, { cache: 'no-cache' })
  const [height, tipTime] = ['height', 'time'].map((name) => answer.headers.get(`x-chain-${name}`))
  const age = Math.round((Date.now() - Date.parse(tipTime)) / 1000)
  status.textContent = height ? `Block ${height} is the newest, made ${age} s ago.` : `Status ${answer.status}.`
  return { code: answer.status, body: JSON.parse(await answer.text(), exact) }
}

/** A page of blocks: the newest, or those before a block. */
async function list(path) {
  const { code, body } = await get(path)
  if (code === 409) return [node('p', 'A reorganisation has taken this block off the chain: begin with the newest.')]
  if (code !== 200) return [node('p', `${code}: ${body.message ?? 'no reason given'}`)]
  const lines = body.blocks.map(({ blockHeight, dateTime, stateHash, transactions }) => {
    const counts = [transactions.userCommands.length, transactions.zkappCommandCount]
    const cells = [link(blockHeight), time(dateTime), ...counts, link(stateHash)]
    return node('tr', ...cells.map((cell) => node('td', cell)))
  })
  const titles = ['Height', 'Time', 'Commands', 'zkApp commands', 'State hash'].map((title) => node('th', title))
  const last = body.blocks.at(-1)
  const isEnd = body.endOfKnown || !(last?.blockHeight > 1)
  const older = isEnd ? [] : [node('p', link(`before/${last.blockHeight}-${last.stateHash}`, 'Older blocks'))]
  const end = body.endOfKnown ? [node('p', 'Nothing below is known here.')] : []
  return [node('table', node('tr', ...titles), ...lines), ...older, ...end]
}

const nanomina = (text) => BigInt(text.replace('.', ''))

/**
 * When locked MINA comes free, in the reader's time. A slot of the present chain has a date. A hard fork may have changed the
 * length of slots, so one before it has none here.
 */
async function vesting({ initialMinimumBalance, cliffTime, cliffAmount, vestingPeriod, vestingIncrement }) {
  const { body: network } = await get('network')
  const { body: tip } = await get('blocks?limit=1')
  const [{ dateTime, protocolState }] = tip.blocks
  const { slotSinceGenesis: tipSlot, epoch, slot: slotOfEpoch } = protocolState.consensusState
  // Epochs count from the genesis block of the present chain, slots from the first one of all.
  const firstSlot = tipSlot - epoch * network.slotsPerEpoch - slotOfEpoch
  const at = (slot) =>
    slot < firstSlot
      ? `slot ${slot}, before the last hard fork`
      : time(BigInt(Date.parse(dateTime)) + (slot - tipSlot) * network.slotDurationMs)
  const [rest, step] = [nanomina(initialMinimumBalance) - nanomina(cliffAmount), nanomina(vestingIncrement)]
  const atCliff = [
    mina(nanomina(cliffAmount)),
    ' of ',
    mina(nanomina(initialMinimumBalance)),
    ' free at ',
    at(cliffTime),
  ]
  if (rest <= 0n || step === 0n || vestingPeriod === 0n) return node('p', ...atCliff, '.')
  const periods = (rest + step - 1n) / step
  const then = [', then ', mina(step), ` every ${vestingPeriod} slots until `, at(cliffTime + periods * vestingPeriod)]
  return node('p', ...atCliff, ...then, '.')
}

async function one(id) {
  const [path, unknown] = placeOf(id)
  const { code, body } = await get(path)
  // The 503 of a health says more than its code.
  if (code !== 200 && id !== 'health')
    return [node('p', code === 404 ? unknown : `${code}: ${body.message ?? 'no reason given'}`)]
  const older = Number(body.block?.blockHeight) - 1
  const links = [
    ...(older > 0 ? [link(older, 'Older block')] : []),
    ...(body.account ? [link(`${id}/transactions`, 'Commands'), link(`${id}/tokens`, 'Tokens')] : []),
    ...(body.next ? [link(`${id.split('?')[0]}?before=${body.next}`, 'Older commands')] : []),
  ]
  const schedule = body.account?.timing ? [await vesting(body.account.timing)] : []
  const [thing] = [body.block, body.transaction, body.account].filter(Boolean)
  return [node('h2', id), ...links.map((one) => node('p', one)), ...schedule, view(thing ?? body)]
}

/** Pages end at a multiple of ten, so that they have the same addresses under each new tip, and caches have them. */
function pathOfList(id) {
  if (id === 'newest') return 'blocks?limit=10'
  const [, height] = /^before\/(\d+)-3N\w+$/.exec(id) ?? []
  if (height === undefined) return undefined
  const limit = (height - 1) % 10
  return limit > 0 ? `blocks/${id}?limit=${limit}` : `blocks/${id}`
}

async function show() {
  const { hash } = location
  const id = decodeURIComponent(hash.slice(1)) || 'newest'
  const path = pathOfList(id)
  const parts = path ? await list(path) : await one(id)
  // Meanwhile somebody may have asked for another page.
  if (location.hash === hash) main.replaceChildren(...parts)
}

form.onsubmit = (event) => {
  event.preventDefault()
  location.hash = form.wanted.value.trim()
}
const refresh = () => show().catch(() => (status.textContent = 'The service does not answer.'))
addEventListener('hashchange', refresh)
setInterval(() => ['', '#newest'].includes(location.hash) && refresh(), 10_000)
await refresh()
