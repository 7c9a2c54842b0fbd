// Runs in the browser: lets a reader change, copy and send each request of the page.
import { snippetOf } from './snippets.js'

const token = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g

/** @param {string | undefined} text @param {string} signs */
const isOneOf = (text, signs) => text !== undefined && signs.includes(text)

/** @param {string} text of a token @param {string | undefined} next */
function kindOf(text, next) {
  if (text.startsWith('"')) return next === ':' ? 'key' : 'string'
  return 'number'
}

/**
 * JSON with line breaks and colours. It is read as text, so that each digit of a long number stays.
 *
 * @param {string} json
 */
function laidOut(json) {
  const tokens = json.match(token) ?? []
  const shown = new DocumentFragment()
  let depth = 0
  const breakLine = () => shown.append(`\n${'  '.repeat(depth)}`)
  for (const [index, text] of tokens.entries()) {
    const [before, next] = [tokens[index - 1], tokens[index + 1]]
    if (isOneOf(text, '}]')) {
      depth -= 1
      if (!isOneOf(before, '{[')) breakLine()
    }
    if (isOneOf(text, '{}[],:')) {
      shown.append(text)
    } else {
      const part = document.createElement('span')
      part.className = kindOf(text, next)
      part.textContent = text
      shown.append(part)
    }
    if (isOneOf(text, '{[')) {
      depth += 1
      if (!isOneOf(next, '}]')) breakLine()
    }
    if (text === ',') breakLine()
    if (text === ':') shown.append(' ')
  }
  return shown
}

/** @template {Element} E @param {ParentNode} within @param {string} selector @returns {E} */
function only(within, selector) {
  const found = within.querySelector(selector)
  if (found === null) throw new Error(`the page has no ${selector}`)
  return /** @type {E} */ (found)
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const { method = 'GET', path = '/' } = form.dataset
  /** @type {Record<string, string>} */
  const headers = {}
  const query = new URLSearchParams()
  let filled = path
  for (const { name, value, dataset } of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input'))) {
    // People paste blanks along with a value.
    const given = value.trim()
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(given))
    else if (given !== '' && dataset.in === 'query') query.set(name, given)
    else if (given !== '') headers[name] = given
  }
  const body = form.querySelector('textarea')?.value
  if (body !== undefined) headers['content-type'] = 'application/json'
  const url = `${location.origin}${filled}${String(query) && `?${query}`}`
  return { method, url, headers, ...(body !== undefined && { body }) }
}

/** In which the code of every request is shown. @type {import('./snippets.js').Language} */
let language = 'curl'

/** Longer than any deployment takes: its gateway gives up after 30 s. */
const patienceMs = 40_000

/** Ends the wait for an answer, and says why. At most one is awaited on the page. @type {(reason: string) => void} */
let giveUp = () => undefined

/** @param {HTMLElement} part of the page, with one request */
function enliven(part) {
  const form = /** @type {HTMLFormElement} */ (only(part, 'form'))
  const code = only(part, '.code code')
  const copy = /** @type {HTMLElement} */ (only(form, '.copy'))
  const status = only(part, '.status')
  const answer = only(part, '.answer code')
  const received = /** @type {HTMLDetailsElement} */ (only(part, '.received'))
  /** The request that was sent last, as text, while its line stands above. @type {string | undefined} */
  let sent
  /** Ends the wait for its answer; afterwards nothing. @type {(reason: string) => void} */
  let stopWaiting = () => undefined
  /** @param {string} name */
  const nameCopy = (name) => copy.firstChild?.replaceWith(name)
  /** What is said in place of an answer. @param {string} text */
  const say = (text) => {
    status.textContent = text
    received.hidden = true
    answer.replaceChildren()
  }
  const show = () => {
    const request = requestOf(form)
    code.textContent = snippetOf(language, request)
    nameCopy('Copy')
    if (sent === undefined || sent === JSON.stringify(request)) return
    // An answer stands below the line of its own request alone.
    sent = undefined
    stopWaiting('')
    say('not sent yet')
  }

  /** @param {number} startedAt @param {Response} response @param {string} text */
  const showAnswer = (startedAt, response, text) => {
    const outcome = document.createElement('b')
    outcome.textContent = `${response.status} ${response.statusText}`.trim()
    outcome.className = response.ok ? 'good' : 'bad'
    status.replaceChildren(outcome, ` in ${Math.round(performance.now() - startedAt)} ms`)
    only(received, 'pre').textContent = Array.from(response.headers, ([name, value]) => `${name}: ${value}`).join('\n')
    received.hidden = false
    answer.replaceChildren(laidOut(text))
  }

  const send = async () => {
    giveUp('given up, since another request was sent')
    const request = requestOf(form)
    const { url, ...options } = request
    const controller = new AbortController()
    let isAwaited = true
    /** @param {() => void} show */
    const endWith = (show) => {
      if (isAwaited) show()
      isAwaited = false
      clearTimeout(timer)
    }
    // A command may have arrived all the same.
    const doubt = request.method === 'GET' ? '' : '; it may have arrived, and to send it again is safe'
    giveUp = (reason) => {
      endWith(() => say(`${reason}${doubt}`))
      controller.abort()
    }
    stopWaiting = giveUp
    const timer = setTimeout(giveUp, patienceMs, `no answer in ${patienceMs / 1000} s`)
    sent = JSON.stringify(request)
    form.dataset.sent = ''
    say(`waiting for ${request.method} ${url.slice(location.origin.length)} …`)
    const startedAt = performance.now()
    try {
      const response = await fetch(url, { ...options, cache: 'no-store', signal: controller.signal })
      const text = await response.text()
      endWith(() => showAnswer(startedAt, response, text))
    } catch (error) {
      endWith(() => say(`no answer: ${/** @type {Error} */ (error).message}${doubt}`))
    }
  }

  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'form') {
      const body = /** @type {HTMLTextAreaElement} */ (only(form, 'textarea'))
      body.value = target.value
    }
    show()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  form.addEventListener('shown', show)
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '')
      nameCopy('Copied')
    } catch {
      // The reader has refused it, or the browser has.
      getSelection()?.selectAllChildren(code)
      nameCopy('Selected: copy it yourself')
    }
  })
  // Browsers have a clipboard only where the connection is safe.
  copy.hidden = navigator.clipboard === undefined
  // Without a script its fields would do nothing.
  only(form, '.fields').removeAttribute('hidden')
  show()
}

/**
 * The value at a JSON pointer. Where a list does not have it in the element that the pointer names, any other will do.
 *
 * @param {unknown} value
 * @param {readonly string[]} pointer
 * @returns {unknown}
 */
function valueAt(value, [key, ...rest]) {
  if (key === undefined) return value
  if (!Array.isArray(value)) return valueAt(Object(value)[key], rest)
  for (const element of value) {
    const found = valueAt(element, rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** @param {string} address */
async function jsonAt(address) {
  const response = await fetch(address)
  return response.ok ? response.json() : undefined
}

/** Fills in what the chain has now, except where somebody has typed or sent. */
async function fillIn() {
  /** @type {Map<string, Promise<unknown>>} */
  const answers = new Map()
  /** @param {string} address */
  const ask = (address) => {
    const asked = answers.get(address) ?? jsonAt(address)
    answers.set(address, asked)
    return asked
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[data-from]'))) {
    const { from = '', longer = from, pointers = '' } = input.dataset
    const places = pointers.split(' ').map((pointer) => pointer.split('/').slice(1))
    const valuesIn = (/** @type {unknown} */ answer) => places.map((keys) => valueAt(answer, keys))
    let parts = valuesIn(await ask(from))
    if (parts.includes(undefined)) parts = valuesIn(await ask(longer))
    if (parts.includes(undefined) || input.value !== input.defaultValue || input.form?.dataset.sent === '') continue
    input.value = parts.join('-')
    input.form?.dispatchEvent(new Event('shown'))
  }
}

/** A choice of language applies to the whole page. */
function enlivenLanguages() {
  const choices = /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll('select[name=language]'))
  for (const choice of choices) {
    choice.closest('label')?.removeAttribute('hidden')
    choice.addEventListener('change', () => {
      language = /** @type {import('./snippets.js').Language} */ (choice.value)
      for (const other of choices) {
        other.value = language
        other.form?.dispatchEvent(new Event('shown'))
      }
    })
  }
}

/** Lets a reader find a request in the menu by words of its method, path and title. */
function enlivenMenu() {
  const nav = only(document, 'nav')
  const search = /** @type {HTMLElement} */ (only(nav, 'search'))
  const wanted = /** @type {HTMLInputElement} */ (only(search, 'input'))
  const entries = Array.from(nav.querySelectorAll('li'), (item) => {
    const link = item.querySelector('a')
    const title = document.querySelector(`${link?.hash || 'none'} h2`)?.textContent ?? ''
    return { item, link, words: `${item.textContent} ${title}`.toLowerCase() }
  })
  const matches = () => {
    const words = wanted.value.toLowerCase().split(/\s+/)
    return entries.filter(({ link, words: own }) => link !== null && words.every((word) => own.includes(word)))
  }
  wanted.addEventListener('input', () => {
    const isSearched = wanted.value.trim() !== ''
    const found = matches()
    // A heading between the requests of others means nothing.
    for (const entry of entries) entry.item.hidden = isSearched && !found.includes(entry)
    only(search, 'p').textContent = isSearched ? `${found.length} found` : ''
  })
  wanted.addEventListener('keydown', ({ key, isComposing, keyCode }) => {
    // This Enter chooses a word of an input method; in Safari only the code says so.
    if (isComposing || keyCode === 229) return
    if (key === 'Enter') matches()[0]?.link?.click()
  })
  search.hidden = false
}

/** Marks what the address names in the menu, and unfolds it for browsers that do not do so by themselves. */
function follow() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('nav a'))) {
    if (link.hash !== '' && link.hash === location.hash) link.setAttribute('aria-current', 'location')
    else link.removeAttribute('aria-current')
  }
  const target = document.getElementById(location.hash.slice(1))
  for (let part = target?.closest('details'); part; part = part.parentElement?.closest('details')) part.open = true
  target?.scrollIntoView()
}

for (const json of document.querySelectorAll('.json code')) json.replaceChildren(laidOut(json.textContent ?? ''))
for (const part of document.querySelectorAll('.try')) enliven(/** @type {HTMLElement} */ (part))
enlivenLanguages()
enlivenMenu()
addEventListener('hashchange', follow)
/** @type {HTMLDetailsElement[]} */
let folded = []
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details')].filter(({ open }) => !open)
  for (const part of folded) part.open = true
})
addEventListener('afterprint', () => {
  for (const part of folded) part.open = false
})
follow()
// Without an answer the examples of the document stay.
fillIn().catch(() => undefined)
