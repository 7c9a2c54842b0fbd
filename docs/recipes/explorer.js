// biome-ignore-all lint/style/noExcessiveLinesPerFile: a page is copied with one script.
// What is shown is a function of the address and of the latest answer: ask() brings them together, again every ten seconds.
const service = 'http://127.0.0.1:8080'
// On a public site a link could name a service that shows false payments.
const isTrial = ['127.0.0.1', '[::1]', 'localhost'].includes(location.hostname)
const api = ((isTrial && new URLSearchParams(location.search).get('api')) || service).replace(/\/$/, '')
const selectors = ['form', 'nav', '[role=status]', '.beside', 'h2', 'main div']
const [form, nav, status, beside, heading, content] = selectors.map((selector) => document.querySelector(selector))

const titles = {
  __proto__: null,
  newest: 'Newest blocks',
  chart: 'Chart',
  pool: 'Pool',
  fees: 'Fees',
  health: 'Health',
}
const lists = /^(?:newest|before\/\d+-3N\w+)$/

/** The id in a text as people paste it: quoted, in the address of another explorer, a height with separators. */
function idOf(text) {
  const visible = text.replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
  const plain = visible.replace(/^[\s"'`“”„‘’«»<(#]+|[\s"'`“”„‘’«»>)/.,;]+$/g, '')
  const found = new Set(plain.match(/\b(?:B62|3N|5J|Ckp)\w{48,52}\b/g))
  if (found.size === 1 && !/^(?:before|B62\w+)\//.test(plain)) return [...found][0]
  const height = /^(?:https?:.*\/)?(\d+|\d{1,3}(?:[\s.,'’_]\d{3})+)$/.exec(plain)?.[1]
  return height ? `${BigInt(height.replace(/\D/g, ''))}` : plain
}

/** The key of an account, also of a page of it. */
const keyOf = (id) => id.replace(/^(B62\w+)\/.*/, '$1')

/** Where the service has what an id names, and what its refusal means. */
function placeOf(id) {
  if (id === 'newest') return ['blocks?limit=10']
  // Pages end at a multiple of ten: so caches have them under each new tip too.
  const limit = (/^before\/(\d+)/.exec(id)?.[1] - 1) % 10
  if (lists.test(id)) return [limit > 0 ? `blocks/${id}?limit=${limit}` : `blocks/${id}`]
  if (id === '0') return ['blocks/height/0', 'Heights begin at 1.']
  if (/^\d+$/.test(id)) return [`blocks/height/${id}`, heightRefusal(id)]
  if (titles[id]) return [id]
  const isPart = /^B62\w+\/(?:tokens|transactions(?:\?before=[\w-]+)?)$/.test(id)
  const encoded = isPart ? id : encodeURIComponent(id)
  if (/^B62.*\//.test(id) && !isPart) return [`accounts/${encoded}`, 'No such page of this account.']
  if (id.startsWith('B62')) return [`accounts/${encoded}`, 'No account has this key.']
  if (/^(?:5J|Ckp)/.test(id)) return [`transactions/${encoded}`, 'No command with this hash is known here.']
  return [`blocks/${encoded}`, 'No block or transaction has this hash.']
}

/** The height of the newest block that an answer has named. */
let newest

/** Why there is no block at a height: not yet, or no longer here. */
function heightRefusal(height) {
  if (newest === undefined) return 'No block is known at this height.'
  if (BigInt(height) > newest) return `The chain has not reached this height: block ${newest} is the newest.`
  return 'The block at this height is too old for this service, which holds only newer ones.'
}

// Nodes with text, never HTML: what a service sends is not trusted to be what it should be.
const node = (tag, ...children) => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}
const titled = (made, title) => Object.assign(made, { title })
const classed = (className, made) => Object.assign(made, { className })
const link = (id, text = id) => Object.assign(node('a', text), { href: `#${id}` })

/** JSON.parse alone rounds integers above 2^53, and not every browser shows it their digits: long ones become texts. */
function parseExact(text) {
  const quoted = (found) => (/^-?\d{16,}$/.test(found) ? `"${found}"` : found)
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\w.+-]*/g, quoted))
}

function time(raw) {
  const date = new Date(raw)
  const text = date.toLocaleString(undefined, { timeZoneName: 'short' })
  return Number.isNaN(date.getTime()) ? String(raw) : titled(node('time', text), raw)
}

const now = () => time(Date.now()).textContent

function mina(nanomina) {
  const digits = String(nanomina).replace('-', '').padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
  return titled(node('span', `${nanomina < 0n ? '-' : ''}${text} MINA`), `${nanomina} nanomina`)
}

const money = (value) => (/^-?\d+$/.test(value) ? mina(BigInt(value)) : String(value ?? ''))

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The bytes of base58 as hexadecimal digits. */
const hexOf = (text, bytes) =>
  Array.from(text)
    .reduce((sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)), 0n)
    .toString(16)
    .padStart(2 * bytes, '0')

/** How keys and hashes begin, their bytes and their length, and what they are. */
const kinds = [
  ['B62', 40, 55, 'public key'],
  ['3N', 38, 52, 'state hash'],
  ['5J', 38, 52, 'transaction hash'],
  ['Ckp', 39, 53, 'transaction hash from before June 2024'],
]

/** Names the typo in an unknown key or hash; undefined where it is well formed. */
async function typoIn(id) {
  const begin = ([start]) => id.toLowerCase().startsWith(start.toLowerCase())
  const [start, bytes, length, name] = kinds.find(begin) ?? []
  const strange = Array.from(id).find((one) => !alphabet.includes(one))
  if (!start)
    return 'A public key begins with B62, a state hash with 3N, a transaction hash with 5J; a height is a number.'
  if (!id.startsWith(start)) return `Upper and lower case count: a ${name} begins with ${start}.`
  const rest = id.slice(start.length)
  if (/[a-z]/i.test(rest) && (rest === rest.toLowerCase() || rest === rest.toUpperCase()))
    return 'Upper and lower case count, and here all is one.'
  if (strange) return `A ${name} has no “${strange}”, and never 0, O, I or l.`
  if (id.length !== length) return `A ${name} has ${length} characters, this has ${id.length}.`
  // A page without HTTPS has no digests.
  if (!crypto.subtle) return
  const hex = hexOf(id, bytes)
  const digest = (data) => crypto.subtle.digest('SHA-256', data)
  const made = await digest(await digest(Uint8Array.from(hex.slice(0, -8).match(/../g), (two) => Number(`0x${two}`))))
  const checksum = Array.from(new Uint8Array(made, 0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (!hex.endsWith(checksum)) return `The checksum is wrong: a character of this ${name} is mistyped, or its case.`
}

/** The text of a memo (version, tag, length, 32 bytes, checksum), or the memo itself where it holds no text. */
function memo(raw) {
  const text = String(raw)
  if (text.length !== 53 || /[^1-9A-HJ-NP-Za-km-z]/.test(text)) return text
  const hex = hexOf(text, 39)
  const length = Number.parseInt(hex.slice(4, 6), 16)
  if (!hex.startsWith('1401') || length > 32) return raw
  try {
    // Throws where the bytes are no UTF-8.
    return titled(node('bdi', decodeURIComponent(hex.slice(6, 6 + 2 * length).replace(/../g, '%$&'))), raw)
  } catch {
    return raw
  }
}

const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
const fees = ['fee', 'min', 'median', 'p75', 'economy', 'normal', 'fast']
const amounts = ['amount', 'balance', 'change', 'coinbase', 'totalCurrency', ...fees]
const times = ['dateTime', 'receivedTime', 'date', 'utcDate']

/** A value of an answer for people. @param parent what holds it under the key */
function view(value, key, parent) {
  if (Array.isArray(value)) {
    if (value.length > 0 && commands.includes(key)) return commandTable(value)
    // A zkApp's own program knows its state by place.
    const item = (one, place) => (key === 'state' ? `${place}: ${one}` : view(one, key, parent))
    const list = node('ol', ...value.map((one, place) => node('li', item(one, place))))
    return value.length > 10 ? node('details', node('summary', `${value.length} entries`), list) : list
  }
  if (typeof value === 'object' && value !== null) {
    // A record of a history repeats its command's hash, and a balance its total.
    const repeated = { hash: value.command && value.hash, unknown: value.total }
    const own = Object.entries(value).filter(([name, one]) => one === undefined || repeated[name] !== one)
    const rows = own.map(([name, one]) => [node('dt', name), node('dd', view(one, name, value))])
    return node('dl', ...rows.map((row) => node('div', ...row)))
  }
  // The amount of another token counts in units of its own.
  const isMina = (parent?.tokenId ?? minaToken) === minaToken
  if (isMina && /^\d+\.\d{9}$/.test(value)) return `${value} MINA`
  if (isMina && amounts.includes(key)) return money(value)
  if (times.includes(key) && value) return time(value)
  if (key === 'memo') return memo(value)
  if (key === 'lag') return `${value} ${value === 1 ? 'block' : 'blocks'}`
  if (key === 'confirmations' && parent.final) return `${value} or more`
  if (value === null) return 'none'
  if (key === 'canonical') return value === false ? 'off the chain' : 'on the chain'
  // A vote names a proposal, which looks like a block.
  return !/^voting_?for$/i.test(key) && /^(?:3N|5J|Ckp|B62)\w{48,52}$/.test(value) ? link(value) : String(value)
}

/** Each cell has its column's title too, under which it stands on a narrow screen. */
function table(kind, titles, rows) {
  const row = (tag, cells) => node('tr', ...cells.map((cell) => node(tag, cell)))
  const made = node('table', row('th', titles), ...rows.map((cells) => row('td', cells)))
  made.className = kind
  for (const { cells } of made.rows)
    for (const [place, cell] of [...cells].entries()) cell.dataset.title = titles[place]
  // A style of its own takes a table's meaning from screen readers.
  made.setAttribute('role', 'table')
  for (const one of made.rows) one.setAttribute('role', 'row')
  for (const one of made.querySelectorAll('th')) one.setAttribute('role', 'columnheader')
  for (const one of made.querySelectorAll('td')) one.setAttribute('role', 'cell')
  return made
}

const commands = ['transactions', 'pending', 'commands', 'userCommands', 'zkappCommands']

/** Commands: those of an account with the other side and the change of its balance, others with both sides. */
function commandTable(records) {
  const isAccounts = records.some(({ direction, role }) => direction ?? role)
  const isIncluded = records.some((record) => record.block)
  const rows = records.map((record) => {
    const { command = record, direction, role, change, block, confirmations, final } = record
    const others = command.balanceChanges && `${command.balanceChanges.length} accounts`
    const from = link(command.from ?? command.feePayer?.publicKey)
    const to = others ?? link(command.to)
    const kind = command.balanceChanges ? 'zkApp' : command.isDelegation ? 'Delegation' : 'Payment'
    const failed = command.status === 'failed' && ['failed', command.failureReason].filter(Boolean).join(': ')
    const depth = final ? 'final' : `${confirmations} on top`
    const state = failed || (block ? depth : (command.status ?? 'pending'))
    const states =
      failed && block ? [failed, ', ', depth] : [state, command.isOrphaned ? ' here, not on the chain' : '']
    const [amount, fee] = [block ? change : command.amount, command.fee].map(money)
    const sides = isAccounts ? [direction === 'received' || role === 'updated' ? from : to] : [from, to]
    const when = isIncluded ? [time(block?.dateTime)] : []
    const what = [kind, direction].filter(Boolean).join(' ')
    return [link(command.hash), ...when, what, ...sides, amount, fee, node('span', ...states)]
  })
  const when = isIncluded ? ['Time'] : []
  const sides = isAccounts ? ['Other side'] : ['From', 'To']
  return table(
    'commands',
    ['Command', ...when, 'Kind', ...sides, isIncluded ? 'Change' : 'Amount', 'Fee', 'State'],
    rows,
  )
}

/** How many commands a block has, zkApp ones among them. */
const countOf = ({ userCommands = [], zkappCommandCount = 0 }) => userCommands.length + zkappCommandCount

/** A page of blocks: the newest, or those before a block. */
function list(body) {
  const rows = body.blocks.map(({ blockHeight, dateTime, stateHash, transactions }) => {
    const counts = [countOf(transactions), transactions.zkappCommandCount]
    return [link(blockHeight), time(dateTime), ...counts, link(stateHash)]
  })
  const { blockHeight, stateHash } = body.blocks.at(-1) ?? {}
  const older = blockHeight > 1 ? link(`before/${blockHeight}-${stateHash}`, 'Older blocks') : ''
  const below = body.endOfKnown ? 'Nothing below is known here.' : older
  const titles = ['Height', 'Time', 'Commands', 'Of them zkApp', 'State hash']
  return [table('blocks', titles, rows), node('p', below)]
}

/** When locked MINA comes free. Slots before a hard fork have no date, since they may have had another length. */
function vesting({ body, network, summary }) {
  if (network.code !== 200 || summary.code !== 200) return node('p', 'When locked MINA comes free is not known now.')
  const { initialMinimumBalance, cliffTime, cliffAmount, vestingPeriod, vestingIncrement } = body.account.timing
  const texts = [initialMinimumBalance, cliffAmount, vestingIncrement]
  const [minimum, cliff, step] = texts.map((text) => BigInt(text.replace('.', '')))
  const { dateTime, epoch, slot: slotOfEpoch, globalSlot: now } = summary.body
  // Epochs count from the genesis block of the present chain, slots from the first one of all.
  const firstSlot = now - epoch * network.body.slotsPerEpoch - slotOfEpoch
  const date = (slot) => time(Date.parse(dateTime) + (slot - now) * network.body.slotDurationMs)
  const at = (slot) => (slot < firstSlot ? `slot ${slot}, before the last hard fork` : date(slot))
  const free = [mina(cliff), ' of ', mina(minimum), ' free at ', at(cliffTime)]
  if (minimum <= cliff || step === 0n || vestingPeriod === 0) return node('p', ...free, '.')
  const end = cliffTime + Number((minimum - cliff + step - 1n) / step) * vestingPeriod
  return node('p', ...free, ', then ', mina(step), ` every ${vestingPeriod} slots until `, at(end), '.')
}

/** Where a block stands, and its neighbours: its parent by its hash, which stays right for one that is off the chain. */
function neighbours({ blockHeight, canonical, protocolState }, tip) {
  const parent = protocolState?.previousStateHash
  const links = blockHeight > 1 && parent ? [link(parent, 'Parent')] : []
  if (canonical !== false) return canonical && blockHeight < tip ? [...links, link(blockHeight + 1, 'Child')] : links
  const instead = link(blockHeight, 'the block in its place')
  return [node('span', 'This block is off the chain: it counts for nothing. See ', instead, '.'), ...links]
}

/** What has these members, and others, with these in front. */
const inFront = (names, whole) =>
  Object.fromEntries([
    ...names.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]),
    ...Object.entries(whole),
  ])

/** A block as a visitor asks about it: what it is, its commands, and below them what only the protocol needs. */
function forVisitors(block, tip, isOldTip) {
  const { blockHeight, canonical, transactions = {} } = block
  const depth = tip - blockHeight
  const confirmations = isOldTip ? `${depth} or more` : depth
  const counted = { ...(canonical && depth >= 0 && { confirmations }), commandCount: countOf(transactions) }
  const front = ['stateHash', 'blockHeight', 'dateTime', 'canonical', 'confirmations', 'creator', 'commandCount']
  const lists = ['userCommands', 'zkappCommands']
  const sorted = inFront(lists, transactions)
  for (const list of canonical === false ? lists : [])
    sorted[list] &&= sorted[list].map((command) => ({ ...command, isOrphaned: true }))
  return inFront([...front, 'transactions'], { ...block, ...counted, transactions: sorted })
}

/** What a block has of each measure; nothing where it is not given. */
const measures = {
  Fees: ({ feesNanomina }) => feesNanomina,
  'Payments and delegations, where fees are not known': ({ payments }) => payments,
  Commands: ({ commandCount }) => commandCount,
  'Slots filled': ({ slots }) => slots,
}

/** What a chart's scale counts in: its unit, as so many of what is summed, and the unit's name. */
const scales = { Fees: [1e9, 'MINA a block'], 'Slots filled': [0.01, '%'] }

/** The sum of a measure in words, to the last digit, and its mean for the height of a bar. */
function sum(name, blocks) {
  const values = blocks.map(measures[name]).filter((value) => value !== undefined)
  const all = values.reduce((some, value) => some + BigInt(value), 0n)
  const [count, mean] = [values.length, Number(all) / (values.length || 1)]
  if (count === 0) return { mean, words: '–' }
  if (name === 'Slots filled') return { mean: 1 / mean, words: `${count} of ${all} (${(100 / mean).toFixed(1)} %)` }
  const of = count === 1 ? '' : ` in ${count} blocks`
  return { mean, words: `${name === 'Fees' ? mina(all).textContent : all}${of}` }
}

function range(blocks) {
  const [lowest, highest] = [blocks.at(-1).blockHeight, blocks[0].blockHeight]
  return lowest === highest ? `${lowest}` : `${lowest} to ${highest}`
}

const grouped = (items, key) => [...new Set(items.map(key))].map((one) => items.filter((item) => key(item) === one))

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A measure of blocks, with a bar for each group and an unseen slider, by which keys and screen readers choose one. */
function figure(name, blocks, groups, ends, placeOf) {
  const [unit, unitName] = scales[name] ?? [1, 'number a block']
  const sums = groups.map((group) => sum(name, group))
  const highest = Math.max(...sums.map(({ mean }) => mean / unit)) || 1
  // Of one digit, so that its half is a short number too.
  const digit = 10 ** Math.floor(Math.log10(highest))
  const top = Math.ceil(highest / digit) * digit
  const bars = sums.map(({ mean, words }, at) => {
    const [group, height] = [groups[at], (100 * mean) / unit / top]
    const bar = { x: placeOf(group[0].blockHeight), y: -height, width: 0.85, height }
    const title = `${group.length > 1 ? 'Blocks' : 'Block'} ${range(group)}: ${words}`
    return drawn('rect', bar, drawn('title', {}, title))
  })
  const [first, last] = ends.map(placeOf)
  const viewBox = `${first} -100 ${last + 1 - first} 100`
  const picture = drawn('svg', { viewBox, preserveAspectRatio: 'none', role: 'img', 'aria-label': name }, ...bars)
  const slider = Object.assign(node('input'), { type: 'range', min: first, max: last })
  slider.setAttribute('aria-label', name)
  const priced = blocks.findIndex(hasFees)
  const upper = priced > 1 ? `${priced} blocks` : 'block'
  const reason =
    priced < 0 ? ' An indexer gives them, a node does not.' : ` The node gives no sums for its newest ${upper}.`
  const lack = name === 'Fees' && priced !== 0 ? reason : ''
  const marks = [top, top / 2, 0].map((mark) => node('span', Number(mark.toPrecision(2))))
  return node(
    'figure',
    node('figcaption', `${name}: ${sum(name, blocks).words}. Scale: ${unitName}.${lack}`),
    classed('scale', node('div', ...marks)),
    classed('plot', node('div', slider, picture)),
    classed('ends', node('div', node('span', ends[0]), node('strong'), node('span', ends[1]))),
  )
}

/** Says under each chart what its chosen bar stands for: one for all charts, and the newest until there is a choice. */
function tellChosen() {
  for (const one of content.querySelectorAll('figure')) {
    const slider = one.querySelector('input')
    slider.value = chosen ?? slider.max
    for (const bar of one.querySelectorAll('rect'))
      bar.classList.toggle('chosen', bar.getAttribute('x') === slider.value)
    const words = one.querySelector('.chosen')?.textContent ?? 'Not known here'
    one.querySelector('strong').textContent = words
    slider.setAttribute('aria-valuetext', words)
  }
}

/** What a walk has so far. */
function chart(walk) {
  const blocks = walk.blocks.map((block, at) => {
    const place = ({ epoch, slot }) => epoch * walk.slotsPerEpoch + slot
    // Not known of the lowest block, nor after a hard fork, where slots count anew.
    const slots = place(block) - place(walk.blocks[at + 1] ?? block)
    const payments = block.commandCount - block.zkappCommandCount
    return { ...block, ...(slots > 0 && { slots }), ...(block.feesNanomina === undefined && { payments }) }
  })
  const width = Math.min(charted, blocks[0].blockHeight)
  const ends = [blocks[0].blockHeight + 1 - width, blocks[0].blockHeight]
  const placeOf = (height) => Math.ceil(height / (width > 100 ? 10 : 1))
  const groups = grouped(blocks, ({ blockHeight }) => placeOf(blockHeight))
  const names = Object.keys(measures)
  const rows = groups.map((group) => [range(group), ...names.map((name) => sum(name, group).words)])
  const details = node('details', node('summary', 'The numbers'), table('commands', ['Blocks', ...names], rows))
  const makers = grouped(blocks, ({ creator }) => creator).sort((some, others) => others.length - some.length)
  const share = ({ length }) => `${((100 * length) / blocks.length).toFixed(1)} %`
  const top = makers.slice(0, 10).map((made) => [link(made[0].creator), made.length, share(made), range(made)])
  const below = walk.end === blocks.at(-1).stateHash ? 'Nothing below is known here.' : ''
  const more = placeToGoOn(walk) ? 'Older ones are on their way.' : below
  return [
    node('p', `${blocks.length} blocks, ${range(blocks)}, by ${makers.length} producers. ${more}`),
    node('p', 'Tap or point at a bar, or choose one with the arrow keys.'),
    ...names.map((name) => figure(name, blocks, groups, ends, placeOf)),
    table('commands', ['Producer', 'Blocks', 'Share', 'From'], top),
    details,
  ]
}

/** Leads from an older page to the first one. */
function newestOf(id) {
  if (id.startsWith('before/')) return [link('newest', 'Newest blocks')]
  return id.includes('?before=') ? [link(id.split('?')[0], 'Newest commands')] : []
}

/** A field in the words of a visitor, where its name is no word of theirs. */
const plainly = (name) =>
  name.endsWith('implicitAccountCreationFee') ? 'whether the fee for a new account came off what it received' : name

const fates =
  'It may have been replaced by another one of its sender, may have expired, was never sent, or is too old for this service.'

/** True of an answer that has what was asked for. A health has it in a 503 too. */
const isWhole = (id, { code, body }) => code === 200 || (id === 'health' && body?.status !== undefined)

/** A refusal that passes: it takes nothing away that stands here. */
const isPassing = (id, answer) => !isWhole(id, answer) && (answer.code === 429 || answer.code >= 500)

/** Why an answer is no page. */
function reasons(id, answer) {
  if (isWhole(id, answer)) return []
  const { code, body, typo, walk } = answer
  const [place, refusal] = placeOf(id)
  const fate = code === 404 && place.startsWith('transactions/') ? fates : undefined
  const lowest = walk && 'A reorganisation has taken the lowest block off the chain.'
  const orphaned = lowest ?? 'A reorganisation has taken this off the chain: begin with the newest.'
  const known = { 400: id === '0' && refusal, 404: refusal, 409: orphaned }[code]
  const said = `${code}: ${body.message ?? 'no reason given'}`.replace(/\w$/, '$&.')
  return [known || said, typo ?? fate].filter(Boolean)
}

/** What the page shows of an answer to an id. */
function page(id, answer) {
  const { code, body } = answer
  if (answer.walk?.blocks.length) return chart(answer.walk)
  const paragraphs = (parts) => parts.map((part) => node('p', part))
  const start = [...newestOf(id), ...(id.includes('/') && id.startsWith('B62') ? [link(keyOf(id), 'Account')] : [])]
  if (!isWhole(id, answer)) return paragraphs([...reasons(id, answer), ...(code === 409 ? start : [])])
  if (lists.test(id)) return [...list(body), ...paragraphs(start)]
  const { block, account, transaction, next, ...rest } = body
  const tip = (answer.tip ?? answer.headers).get('x-chain-height')
  const links = block ? neighbours(block, tip) : []
  if (account) links.push(link(`${id}/transactions`, 'Commands'), link(`${id}/tokens`, 'Tokens'))
  links.push(...start)
  const older = () => (next ? [link(`${id.split('?')[0]}?before=${next}`, 'Older commands')] : [])
  links.push(...older())
  const shown = block && forVisitors(block, tip, !answer.tip)
  const schedule = account?.timing ? vesting(answer) : ''
  const missing = answer.headers.get('x-missing-fields')
  if (missing) links.push(`The service does not have, or not in full: ${missing.split(',').map(plainly).join(', ')}.`)
  const below = rest.transactions?.length > 10 ? older() : []
  return [...paragraphs(links), schedule, view(shown ?? transaction ?? account ?? rest), ...paragraphs(below)]
}

/** Gives a node the children of another one, and touches only what differs: focus and selection stay in the rest. */
function update(old, made) {
  const wanted = [...made.childNodes]
  for (const [index, child] of wanted.entries()) {
    const rest = [...old.childNodes].slice(index)
    if (child.localName === 'details') child.open = rest[0]?.open ?? false
    const same = rest.findIndex((one) => one.isEqualNode(child))
    const isAlike = rest[0]?.cloneNode().isEqualNode(child.cloneNode()) && child.nodeType === Node.ELEMENT_NODE
    const isSpare = isAlike && !wanted.some((one) => one.isEqualNode(rest[0]))
    if (same >= 0) for (const one of rest.slice(0, same)) one.remove()
    // The chain grows under the slider that has the focus.
    else if (child.type === 'range' && rest[0]?.type === 'range')
      Object.assign(rest[0], { min: child.min, max: child.max })
    else if (isSpare) update(rest[0], child)
    else old.insertBefore(child, rest[0] ?? null)
  }
  while (old.childNodes.length > wanted.length) old.lastChild.remove()
}

async function get(path, signal) {
  const answer = await fetch(`${api}/${path}`, { cache: 'no-cache', signal })
  return { code: answer.status, headers: answer.headers, body: parseExact(await answer.text()) }
}

const charted = 1000
/** A node gives headers without fees, an indexer with them: `lacks` is how many of the newest came from the node. */
let walk = { blocks: [], known: [], lacks: Infinity, isAtRest: true }
const hasFees = ({ feesNanomina }) => feesNanomina !== undefined

/** After how many of the blocks the walk goes on: below the lowest, or where an indexer has the fees by now. */
function placeToGoOn({ blocks, end, lacks }) {
  const { blockHeight, stateHash } = blocks.at(-1)
  if (blocks.length < charted && blockHeight > 1 && stateHash !== end) return blocks.length
  // For some blocks at a time, since a page has many.
  if (blocks.slice(lacks + 20).every(hasFees)) return
  return blocks.findIndex((block, at) => at >= lacks && !hasFees(block))
}

/** Goes on with known blocks at the parent of the lowest one: what a reorganisation took away is above. */
function joined(blocks, known) {
  const at = known.findIndex(({ stateHash }) => stateHash === blocks.at(-1).previousStateHash)
  return [...blocks, ...(at < 0 ? [] : known.slice(at))].slice(0, charted)
}

/** One page more of the walk down from the newest block; a walk at rest looks first whether there is a newer one. */
async function step(before, signal) {
  let { blocks, known, end, lacks, slotsPerEpoch, tip, readAt } = before
  let answer = before.isAtRest && (await get('blocks?limit=1', signal))
  if (answer && answer.code !== 200) return { ...answer, walk: before }
  if (answer) {
    slotsPerEpoch ??= (await get('network', signal)).body.slotsPerEpoch
    ;[tip, readAt] = [answer.headers, now()]
    const { protocolState, transactions, ...top } = answer.body.blocks[0]
    const counts = { ...transactions, commandCount: countOf(transactions) }
    const header = { ...top, ...protocolState, ...protocolState.consensusState, ...counts }
    if (header.stateHash !== blocks[0]?.stateHash) [blocks, known] = [joined([header], blocks), blocks]
  }
  const at = placeToGoOn({ blocks, end, lacks })
  if (at) {
    const { blockHeight, stateHash } = blocks[at - 1]
    answer = await get(`blocks/before/${blockHeight}-${stateHash}?view=header`, signal)
    const { headers = [], endOfKnown } = answer.body
    if (endOfKnown) end = headers.at(-1).stateHash
    if (headers.length > 0 && hasFees(headers[0])) lacks = Math.min(lacks, at)
    else if (at < blocks.length) lacks += headers.length
    blocks = joined([...blocks.slice(0, at), ...headers], at < blocks.length ? blocks : known)
  }
  if (answer.code === 200) readAt = now()
  const isAtRest = answer.code !== 200 || !placeToGoOn({ blocks, end, lacks })
  const goesOn = answer.code === 409 ? !before.isAtRest : !isAtRest
  return { ...answer, tip, goesOn, walk: { blocks, known, end, lacks, slotsPerEpoch, tip, readAt, isAtRest } }
}

/** The last slot of a command, which its bytes alone name, after fee, sender and nonce; undefined where they are others. */
function validUntilOf({ id, nonce }) {
  const bytes = /^[\w+/]+={0,2}$/.test(id) ? Array.from(atob(id), (one) => BigInt(one.charCodeAt())) : []
  const integer = () => {
    const [code] = bytes.splice(0, 1)
    const digits = code > 251n ? bytes.splice(0, 2 ** (255 - Number(code))) : [code ?? 0n]
    const value = digits.reduceRight((sum, digit) => sum * 256n + digit, 0n)
    return BigInt.asUintN(32, BigInt.asIntN(8 * digits.length, value))
  }
  integer()
  bytes.splice(0, 33)
  if (integer() !== BigInt(nonce)) return
  bytes.splice(0, 1)
  return integer()
}

/** The terms of commands that were seen to wait: with them the service knows what became of one that waits no more. */
const seen = new Map()

function see(id, { state, command }) {
  const { from, nonce, to, fee, memo, amount, isDelegation } = command ?? {}
  const validUntil = state === 'pending' && from ? validUntilOf(command) : undefined
  const terms = { from, nonce, valid_until: validUntil, to, fee, memo, ...(!isDelegation && { amount }) }
  if (validUntil !== undefined) seen.set(id, `?${new URLSearchParams(terms)}`)
}

/** Whether a cache may give an answer long after its tip: for a day that of a final block. */
function isHeld({ headers }) {
  const [, maxAge] = /max-age=(\d+)/.exec(headers.get('cache-control')) ?? []
  return Math.max(maxAge ?? 0, headers.get('age')) > 15
}

/** An answer with the headers of the present tip as `tip`, unless only an old one is known. */
async function load(id, signal) {
  if (id === 'chart') return step(walk, signal)
  const answer = await get(`${placeOf(id)[0]}${seen.get(id) ?? ''}`, signal)
  const { headers: tip, body } = answer
  if (body?.transaction) see(id, body.transaction)
  if (answer.code === 404 && !/^\d+$/.test(id)) return { ...answer, tip, typo: await typoIn(keyOf(id)) }
  if (body?.account?.timing)
    return { ...answer, tip, network: await get('network', signal), summary: await get('summary', signal) }
  if (!isHeld(answer)) return { ...answer, tip }
  const { code, headers: newer } = await get('summary', signal).catch(() => ({}))
  const [known, shown] = [tip, newer].map((each) => Number(each?.get('x-chain-height')))
  return { ...answer, ...(code === 200 && shown >= known && { tip: newer }) }
}

/** Nobody sees a hidden page: it asks when it is seen again. */
function askUnlessHidden(id) {
  if (document.hidden) onceSeen = () => ask(id)
  else void ask(id)
}

/** A screen reader speaks each new text of the status, so what changes often stands beside it. */
function say(text, more = '') {
  if (status.textContent !== text) status.textContent = text
  beside.textContent = more
}

/** Not how long ago: that would stand still while no answer comes. */
const madeAt = (tipTime) => (Date.parse(tipTime) ? `It was made at ${time(tipTime).textContent}.` : '')

const waitOf = (headers) => Math.max(10, Number(headers?.get('retry-after')) || 0)

let [request, timer, answeredAt, chosen] = []
let onceSeen = () => {}

/** Asks for what an id names and shows it, again after ten seconds or a longer Retry-After, until another call takes its place. */
async function ask(id) {
  request?.abort()
  clearTimeout(timer)
  onceSeen = () => {}
  const mine = new AbortController()
  request = mine
  timer = setTimeout(() => mine.abort(), 30_000)
  const answer = await load(id, mine.signal).catch((error) => error)
  if (mine !== request) return
  clearTimeout(timer)
  const wait = waitOf(answer.headers)
  timer = setTimeout(askUnlessHidden, 1000 * wait, id)
  const next = `The next try is in ${wait} s.`
  const sayStale = (trouble) => say(answeredAt ? `${trouble} What stands below is of ${answeredAt}.` : trouble, next)
  try {
    if (answer instanceof Error) throw answer
    const [height, tipTime] = ['x-chain-height', 'x-chain-time'].map((name) => answer.tip?.get(name))
    if (/^\d+$/.test(height)) newest = BigInt(height)
    const isPassed = isPassing(id, answer)
    const why = reasons(id, answer).join(' ')
    if (isPassed && answeredAt && !answer.walk) return sayStale(why)
    const hadFocus = content.contains(document.activeElement)
    update(content, node('div', ...page(id, answer)))
    tellChosen()
    // The row that had it may have left.
    if (hadFocus && !content.contains(document.activeElement)) heading.focus()
    walk = answer.walk ?? walk
    if (answer.walk) answeredAt = walk.readAt
    else if (!isPassed) answeredAt = now()
    if (isPassed || (why && answer.walk)) sayStale(why)
    else if (why) say(why)
    else say(height ? `Block ${height} is the newest.` : `Status ${answer.code}.`, madeAt(tipTime))
    if (answer.goesOn) void ask(id)
  } catch {
    let trouble = 'What answers here is not the service, or is out of order.'
    if (answer instanceof TypeError) trouble = `The service at ${api} does not answer.`
    if (mine.signal.aborted) trouble = `The service at ${api} has not answered for 30 s.`
    sayStale(trouble)
  }
}

/** Begins the view of the address. Focus goes to its heading, except where the page has just been opened. */
function show(event) {
  // Unlike decodeURIComponent this takes a per cent sign that encodes nothing.
  const encoded = location.hash.slice(1).replace(/[&+]/g, encodeURIComponent)
  const id = idOf(new URLSearchParams(`id=${encoded}`).get('id')) || 'newest'
  heading.textContent = titles[id] ?? keyOf(id).replace(/^before\/(\d+)-.*/, 'Blocks below $1')
  document.title = `${heading.textContent} · Chain explorer`
  form.wanted.value = titles[id] || lists.test(id) ? '' : keyOf(id)
  for (const one of nav.children) one.setAttribute('aria-current', one.hash === `#${id}` ? 'page' : 'false')
  content.replaceChildren()
  answeredAt = chosen = undefined
  say('Waiting for the service.')
  if (event) heading.focus()
  void ask(id)
}

function choose(place) {
  chosen = place
  tellChosen()
}
content.oninput = ({ target }) => choose(target.value)
content.onpointermove = content.onpointerdown = ({ target, clientX }) => {
  const plot = target.closest('.plot')
  if (!plot) return
  const { left, width } = plot.getBoundingClientRect()
  const [min, max] = [plot.firstChild.min, plot.firstChild.max].map(Number)
  choose(min + Math.floor(((max + 1 - min) * (clientX - left)) / width))
}

form.onsubmit = (event) => {
  event.preventDefault()
  const { href } = location
  location.hash = encodeURIComponent(idOf(form.wanted.value))
  if (location.href === href) show(event)
}
// A link to the page that is shown does not change the address.
addEventListener('click', (event) => event.target.closest('a')?.href === location.href && show(event))
addEventListener('hashchange', show)
addEventListener('visibilitychange', () => document.hidden || onceSeen())
show()
