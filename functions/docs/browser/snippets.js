// A request as code to copy: used to build the page, and in the browser for what somebody has typed.

/**
 * @typedef {object} HttpRequest
 * @property {string} method
 * @property {string} url absolute
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body] JSON
 */

/** Quoted for a POSIX shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** A string of JavaScript and of Python: both read what JSON escapes. @param {string} text */
const literal = (text) => JSON.stringify(text)

/** An object of JavaScript and a dictionary of Python. @param {Readonly<Record<string, string>>} texts */
const literals = (texts) =>
  `{ ${Object.entries(texts)
    .map(([name, text]) => `${literal(name)}: ${literal(text)}`)
    .join(', ')} }`

/** Removes white space outside strings. @param {string} json */
const compact = (json) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/**
 * An argument for Windows, parsed by `cmd` and then by the program. To `cmd`, each quote opens or closes a part in
 * which only a percent sign is special; to the program, a quote after a backslash is literal.
 *
 * @param {string} text
 */
function quotedForCmd(text) {
  let isOpen = true
  const inside = text.replace(/(\\*)(?:("|$)|(%))|[\^&|<>()]|[\r\n]+/g, (found, slashes = '', quote, percent) => {
    if (quote !== undefined) {
      if (quote === '"') isOpen = !isOpen
      return `${slashes}${slashes}${quote && '\\"'}`
    }
    // Outside quotes, a caret escapes a special character, and breaks up the name of a variable.
    if (percent !== undefined) return isOpen ? `${slashes}${slashes}"^%"` : `${slashes}^%`
    // A line break would end the pasted command.
    if (/\s/.test(found)) return ' '
    return isOpen ? found : `^${found}`
  })
  return `"${inside}${isOpen ? '' : '^'}"`
}

/** JSON in ASCII: the code page of `cmd` may lack other characters. @param {string} json */
const inAscii = (json) =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @param {string} program @param {(text: string) => string} quote @param {HttpRequest} request */
function curlLine(program, quote, { url, headers, body }) {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)} `)
  // Not --data, which reads a file if the text begins with @.
  const sent = body === undefined ? '' : `--data-raw ${quote(body)} `
  return `${program} -sS ${options.join('')}${sent}${quote(url)}`
}

/** @param {HttpRequest} request */
const curl = (request) => curlLine('curl', quoted, request)

/** @param {HttpRequest} request */
const curlForCmd = ({ body, ...request }) =>
  curlLine('curl.exe', quotedForCmd, { ...request, ...(body !== undefined && { body: inAscii(body) }) })

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

/** Prints the body of an error too: it names the reason. @param {HttpRequest} request */
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

/** By language; the first is shown initially. */
export const snippets = { curl, 'curl (Windows)': curlForCmd, JavaScript: javascript, Python: python }

/** @typedef {keyof typeof snippets} Language */

/**
 * The code that sends a request and prints its answer.
 *
 * @param {Language} language
 * @param {HttpRequest} request
 */
export const snippetOf = (language, { body, ...request }) =>
  snippets[language]({ ...request, ...(body !== undefined && { body: compact(body) }) })
