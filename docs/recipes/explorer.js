const api = new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:8080'
const [form, status, main] = ['form', '[role=status]', 'main'].map((name) => document.querySelector(name))
const places = { 3: 'blocks', 5: 'transactions', C: 'transactions', B: 'accounts' }
const pathOf = (id) =>
  /^\d+$/.test(id) ? `blocks/height/${id}` : `${places[id[0]] ?? 'blocks'}/${encodeURIComponent(id)}`
// Nodes with text, never HTML: what a service sends is not trusted to be what it should be.
const node = (tag, ...children) => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}
const link = (id, text = id) => Object.assign(node('a', text), { href: `#${id}` })
const hashOrKey = /\b((?:3N|5J|Ckp|B62)\w{48,52})\b/
// Every digit as it came: JSON.parse alone rounds integers above 2^53.
const exact = (_key, value, { source }) => (Number.isInteger(value) ? JSON.rawJSON(source) : value)

async function get(path) {
  const answer = await fetch(`${api}/${path}`, { cache: 'no-cache' })
  const [height, time] = ['height', 'time'].map((name) => answer.headers.get(`x-chain-${name}`))
  const age = Math.round((Date.now() - Date.parse(time)) / 1000)
  status.textContent = height ? `Block ${height} is the newest, made ${age} s ago.` : `Status ${answer.status}.`
  return answer.text()
}

async function list(highest) {
  const heights = Array.from({ length: 10 }, (_, index) => highest - index).filter((height) => height > 0)
  const answers = await Promise.all(heights.map((height) => get(`blocks/height/${height}`)))
  const rows = answers
    .flatMap((text) => JSON.parse(text).block ?? [])
    .map((block) => [
      ...[link(block.blockHeight), block.dateTime.slice(0, 19).replace('T', ' ')],
      ...[block.transactions.userCommands.length, block.transactions.zkappCommandCount, link(block.stateHash)],
    ])
    .map((cells) => node('tr', ...cells.map((cell) => node('td', cell))))
  const titles = ['Height', 'Time (UTC)', 'Commands', 'zkApp commands', 'State hash'].map((title) => node('th', title))
  const older = highest > 10 ? [node('p', link(`to-${highest - 10}`, 'Older blocks'))] : []
  main.replaceChildren(node('table', node('tr', ...titles), ...rows), ...older)
}

async function show() {
  const id = decodeURIComponent(location.hash.slice(1)) || 'newest'
  if (id === 'newest') return list(JSON.parse(await get('summary')).blockchainLength)
  if (/^to-\d+$/.test(id)) return list(Number(id.slice(3)))
  const text = JSON.stringify(JSON.parse(await get(pathOf(id)), exact), undefined, 2)
  // Each second part is one that the expression has found.
  const parts = text.split(hashOrKey).map((part, index) => (index % 2 === 1 ? link(part) : part))
  main.replaceChildren(node('pre', ...parts))
}

form.onsubmit = (event) => {
  event.preventDefault()
  location.hash = form.wanted.value.trim()
}
const refresh = () => show().catch(() => (status.textContent = 'The service does not answer.'))
addEventListener('hashchange', refresh)
setInterval(() => ['', '#newest'].includes(location.hash) && refresh(), 10_000)
await refresh()
