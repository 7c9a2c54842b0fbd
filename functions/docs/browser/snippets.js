// A request as code to copy: written here for the page without a script, and for what somebody has typed into it.

/**
 * @typedef {object} HttpRequest
 * @property {string} method
 * @property {string} url absolute
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body] JSON
 */

/** In quotes of a shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** A string of JavaScript and of Python: both read what JSON escapes. @param {string} text */
const literal = (text) => JSON.stringify(text)

/** An object of JavaScript and a dictionary of Python. @param {Readonly<Record<string, string>>} texts */
const literals = (texts) =>
  `{ ${Object.entries(texts)
    .map(([name, text]) => `${literal(name)}: ${literal(text)}`)
    .join(', ')} }`

/** White space outside of texts is left out, everything else kept. @param {string} json */
const compact = (json) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/** @param {HttpRequest} request */
function curl({ url, headers, body }) {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)} `)
  // Never --data, which reads a file where the text begins with @.
  const sent = body === undefined ? '' : `--data-raw ${quoted(body)} `
  return `curl -sS ${options.join('')}${sent}${quoted(url)}`
}

/** @param {readonly (string | false)[]} lines */
const indented = (lines) =>
  lines
    .filter((line) => line !== false)
    .map((line) => `\n  ${line},`)
    .join('')

/** Shows the answer as text: JSON.parse would round its long integers. @param {HttpRequest} request */
function javascript({ method, url, headers, body }) {
  const options = indented([
    method !== 'GET' && `method: ${literal(method)}`,
    Object.keys(headers).length > 0 && `headers: ${literals(headers)}`,
    body !== undefined && `body: ${literal(body)}`,
  ])
  return `const answer = await fetch(${literal(url)}${options && `, {${options}\n}`})
console.log(answer.status, await answer.text())`
}

/** Shows an error's answer too, which names the reason. @param {HttpRequest} request */
function python({ method, url, headers, body }) {
  const options = indented([
    literal(url),
    method !== 'GET' && `method=${literal(method)}`,
    Object.keys(headers).length > 0 && `headers=${literals(headers)}`,
    body !== undefined && `data=${literal(body)}.encode()`,
  ])
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(${options}
)
try:
  answer = urlopen(request)
except HTTPError as error:
  answer = error
print(answer.status, answer.read().decode())`
}

/** By the name of their language; the first one is shown at first. */
export const snippets = { curl, JavaScript: javascript, Python: python }

/** @typedef {keyof typeof snippets} Language */

/**
 * The code that sends a request and prints its answer.
 *
 * @param {Language} language
 * @param {HttpRequest} request
 */
export const snippetOf = (language, { body, ...request }) =>
  snippets[language]({ ...request, ...(body !== undefined && { body: compact(body) }) })
