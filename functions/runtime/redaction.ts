// Keys of upstreams, masked wherever an upstream's words are shown: some gateways repeat a request's headers in an error.

/** A shorter value occurs in ordinary words, and masking it would garble every line. */
const minValueLength = 4

/** For a part of a value, such as the token after `Bearer`, or a key in an address. */
const minPartLength = 8

/** A text as it stands, in JSON, and in an address. */
const spellings = (text: string): readonly string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
]

/** The texts that must not be shown. */
export class Secrets {
  readonly #values = new Set<string>()
  #spellings: readonly string[] = []

  /** @param values of headers, or of parameters in an address */
  add(values: Iterable<string>): void {
    const before = this.#values.size
    for (const value of values) {
      if (value.length >= minValueLength) this.#values.add(value)
      for (const part of value.split(/[\s,;:=]/)) if (part.length >= minPartLength) this.#values.add(part)
    }
    if (this.#values.size === before) return
    // The longest first: a value before its parts.
    const all = new Set([...this.#values].flatMap(spellings))
    this.#spellings = [...all].sort((left, right) => right.length - left.length)
  }

  /** Masks each secret. The text must not have been cut, perhaps in the middle of one. */
  masked(text: string): string {
    return this.#spellings.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  }
}

/** The secret parts of an upstream's settings. */
export const secretsOf = ({
  url,
  headers,
}: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}): readonly string[] => [...Object.values(headers), ...(URL.canParse(url) ? new URL(url).searchParams.values() : [])]
