// What is shown is a function of the address and of the latest answer: ask() brings them together, again every ten seconds.
const api = (new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:8080').replace(/\/$/, '')
const selectors = ['form', 'nav', '[role=status]', '.age', 'h2', 'main div']
const [form, nav, status, age, heading, content] = selectors.map((selector) => document.querySelector(selector))

const titles = { __proto__: null, newest: 'Newest blocks', pool: 'Pool', fees: 'Fees', health: 'Health' }
const lists = /^(?:newest|before\/\d+-3N\w+)$/

/** Where the service has what an id names, and what its 404 means. */
function placeOf(id) {
  if (id === 'newest') return ['blocks?limit=10']
  // Pages end at a multiple of ten: so caches have them under each new tip too.
  const limit = (/^before\/(\d+)/.exec(id)?.[1] - 1) % 10
  if (lists.test(id)) return [limit > 0 ? `blocks/${id}?limit=${limit}` : `blocks/${id}`]
  if (/^\d+$/.test(id)) return [`blocks/height/${id}`, 'No block is known at this height.']
  if (titles[id]) return [id]
  const isPart = /^B62\w+\/(?:tokens|transactions(?:\?before=[\w-]+)?)$/.test(id)
  const encoded = isPart ? id : encodeURIComponent(id)
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
  const hex = number.toString(16).padStart(78, '0')
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
    // A zkApp's own program knows its state by place.
    const item = (one, place) => (key === 'state' ? `${place}: ${one}` : view(one, key, parent))
    return node('ol', ...value.map((one, place) => node('li', item(one, place))))
  }
  if (typeof value === 'object' && value !== null) {
    // A record of a history repeats its command's hash.
    const own = Object.entries(value).filter(([name]) => name !== 'hash' || value.command === undefined)
    const rows = own.map(([name, one]) => [node('dt', name), node('dd', view(one, name, value))])
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

/** A page of blocks: the newest, or those before a block. */
function list(body) {
  const row = (tag, ...cells) => node('tr', ...cells.map((cell) => node(tag, cell)))
  const lines = body.blocks.map(({ blockHeight, dateTime, stateHash, transactions }) => {
    const counts = [transactions.userCommands.length, transactions.zkappCommandCount]
    return row('td', link(blockHeight), time(dateTime), ...counts, link(stateHash))
  })
  const head = row('th', 'Height', 'Time', 'Commands', 'zkApp commands', 'State hash')
  const { blockHeight, stateHash } = body.blocks.at(-1) ?? {}
  const older = blockHeight > 1 ? link(`before/${blockHeight}-${stateHash}`, 'Older blocks') : ''
  const below = body.endOfKnown ? 'Nothing below is known here.' : older
  return [node('table', head, ...lines), node('p', below)]
}

/** When locked MINA comes free. Slots before a hard fork have no date, since they may have had another length. */
function vesting({ body, network, tip }) {
  if (network.code !== 200 || tip.code !== 200) return node('p', 'When locked MINA comes free is not known now.')
  const { initialMinimumBalance, cliffTime, cliffAmount, vestingPeriod, vestingIncrement } = body.account.timing
  const texts = [initialMinimumBalance, cliffAmount, vestingIncrement]
  const [minimum, cliff, step] = texts.map((text) => BigInt(text.replace('.', '')))
  const { dateTime, epoch, slot: slotOfEpoch, globalSlot: now } = tip.body
  // Epochs count from the genesis block of the present chain, slots from the first one of all.
  const firstSlot = now - epoch * network.body.slotsPerEpoch - slotOfEpoch
  const date = (slot) => time(Date.parse(dateTime) + (slot - now) * network.body.slotDurationMs)
  const at = (slot) => (slot < firstSlot ? `slot ${slot}, before the last hard fork` : date(slot))
  const free = [mina(cliff), ' of ', mina(minimum), ' free at ', at(cliffTime)]
  if (minimum <= cliff || step === 0n || vestingPeriod === 0) return node('p', ...free, '.')
  const end = cliffTime + Number((minimum - cliff + step - 1n) / step) * vestingPeriod
  return node('p', ...free, ', then ', mina(step), ` every ${vestingPeriod} slots until `, at(end), '.')
}

/** What the page shows of an answer to an id. */
function page(id, answer) {
  const { code, body } = answer
  const orphaned = 'A reorganisation has taken this off the chain: begin with the newest.'
  const why = { 404: placeOf(id)[1], 409: orphaned }[code] ?? `${code}: ${body.message ?? 'no reason given'}`
  // A health has its members in a 503 too.
  if (code !== 200 && id !== 'health') return [node('p', why)]
  if (lists.test(id)) return list(body)
  const { block, account, transaction, next } = body
  const links = []
  if (block?.blockHeight > 1) links.push(link(block.blockHeight - 1, 'Older block'))
  if (account) links.push(link(`${id}/transactions`, 'Commands'), link(`${id}/tokens`, 'Tokens'))
  if (next) links.push(link(`${id.split('?')[0]}?before=${next}`, 'Older commands'))
  const schedule = account?.timing ? vesting(answer) : ''
  return [...links.map((one) => node('p', one)), schedule, view(block ?? transaction ?? account ?? body)]
}

/** Gives a node the children of another one, and touches only what differs: focus and selection stay in the rest. */
function update(old, made) {
  const wanted = [...made.childNodes]
  for (const [index, child] of wanted.entries()) {
    const rest = [...old.childNodes].slice(index)
    const same = rest.findIndex((one) => one.isEqualNode(child))
    const isSpare = rest[0]?.nodeName === child.nodeName && !wanted.some((one) => one.isEqualNode(rest[0]))
    if (same >= 0) for (const one of rest.slice(0, same)) one.remove()
    else if (isSpare && child.attributes?.length === 0) update(rest[0], child)
    else old.insertBefore(child, rest[0] ?? null)
  }
  while (old.childNodes.length > wanted.length) old.lastChild.remove()
}

async function get(path, signal) {
  const answer = await fetch(`${api}/${path}`, { cache: 'no-cache', signal })
  return { code: answer.status, headers: answer.headers, body: parseExact(await answer.text()) }
}

async function load(id, signal) {
  const answer = await get(placeOf(id)[0], signal)
  if (!answer.body?.account?.timing) return answer
  return { ...answer, network: await get('network', signal), tip: await get('summary', signal) }
}

/** A screen reader speaks each new text of the status, so the age stands beside it. */
function say(text, tipTime) {
  if (status.textContent !== text) status.textContent = text
  const seconds = Math.round((Date.now() - Date.parse(tipTime)) / 1000)
  const made = `It was made ${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of your clock' : 'ago'}.`
  age.textContent = Number.isNaN(seconds) ? '' : made
}

let [request, timer, answeredAt] = []

/** Asks for what an id names and shows it, again every ten seconds, until another call takes its place. */
async function ask(id) {
  request?.abort()
  clearTimeout(timer)
  const mine = new AbortController()
  request = mine
  timer = setTimeout(() => mine.abort(), 30_000)
  const answer = await load(id, mine.signal).catch((error) => error)
  if (mine !== request) return
  clearTimeout(timer)
  timer = setTimeout(ask, 10_000, id)
  try {
    if (answer instanceof Error) throw answer
    update(content, node('div', ...page(id, answer)))
    answeredAt = time(Date.now()).textContent
    const height = answer.headers.get('x-chain-height')
    say(height ? `Block ${height} is the newest.` : `Status ${answer.code}.`, answer.headers.get('x-chain-time'))
  } catch {
    let trouble = 'What answers here is not the service, or is out of order.'
    if (answer instanceof TypeError) trouble = 'The service does not answer.'
    if (mine.signal.aborted) trouble = 'The service has not answered for 30 s.'
    say(answeredAt ? `${trouble} What stands below is of ${answeredAt}.` : trouble)
  }
}

/** Begins the view of the address. Focus goes to its heading, except where the page has just been opened. */
function show(event) {
  // Unlike decodeURIComponent this takes a per cent sign that encodes nothing.
  const encoded = location.hash.slice(1).replace(/[&+]/g, encodeURIComponent)
  const id = new URLSearchParams(`id=${encoded}`).get('id') || 'newest'
  heading.textContent = titles[id] ?? id.replace(/^before\/(\d+)-.*/, 'Blocks below $1')
  document.title = `${heading.textContent} · Chain explorer`
  form.wanted.value = titles[id] ? '' : id
  for (const one of nav.children) one.setAttribute('aria-current', one.hash === `#${id}` ? 'page' : 'false')
  content.replaceChildren()
  answeredAt = undefined
  say('Waiting for the service.')
  if (event) heading.focus()
  void ask(id)
}

form.onsubmit = (event) => {
  event.preventDefault()
  const { href } = location
  location.hash = encodeURIComponent(form.wanted.value.trim())
  if (location.href === href) show(event)
}
// A link to the page that is shown does not change the address.
addEventListener('click', (event) => event.target.closest('a')?.href === location.href && show(event))
addEventListener('hashchange', show)
show()
