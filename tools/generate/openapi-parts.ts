// Answers and headers that stand more than once in the OpenAPI document: each is written once, under its title, and
// referred to. Generators make one type of it then, where of each copy they made another.
import type { Titled } from './named-schemas.ts'

type Header = Titled & { readonly schema: object }

/** An answer with its headers by name. A title is no key of OpenAPI's: it names what is shared, and is left out. */
export interface TitledResponse extends Titled {
  readonly description: string
  readonly content?: object
  readonly links?: object
  readonly headers?: Readonly<Record<string, Header>>
}

interface SharedParts<Part extends Titled> {
  readonly components: Readonly<Record<string, object>>
  /** The part, or a reference to it where it is shared. */
  written(part: Part): object
}

/**
 * @param kind their key under `components`
 * @param placed all of them, each as often as it stands in the document, after the name of its place
 * @param body what is written of one
 */
function sharedParts<Part extends Titled>(
  kind: 'headers' | 'responses',
  placed: readonly (readonly [place: string, part: Part])[],
  body: (part: Part) => object,
): SharedParts<Part> {
  const bodyOf = ({ title, ...part }: Part): object => body(part as Part)
  const textOf = (part: Part): string => JSON.stringify(bodyOf(part))
  const seen = new Map<string, string>()
  const titles = new Map<string, string>()
  const components = new Map<string, object>()
  for (const [place, part] of placed) {
    const text = textOf(part)
    const other = seen.get(text)
    if (other !== undefined && !titles.has(text)) {
      const { title } = part
      if (title === undefined)
        throw new Error(`${other} and ${place} are equal ${kind}: give both the same title, in shared/contract/`)
      if (components.has(title)) throw new Error(`Two ${kind} that are shared have the title ${title}`)
      titles.set(text, title)
      components.set(title, bodyOf(part))
    }
    seen.set(text, place)
  }
  return {
    components: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
    written(part) {
      const title = titles.get(textOf(part))
      return title === undefined ? bodyOf(part) : { $ref: `#/components/${kind}/${title}` }
    },
  }
}

type Responses = Readonly<Record<string, TitledResponse>>

/** @param all the answers of each operation by its name, by status */
export function sharedResponses(all: Readonly<Record<string, Responses>>) {
  const each = Object.entries(all).flatMap(([name, responses]) =>
    Object.entries(responses).map(([status, response]) => [`${name} ${status}`, response] as const),
  )
  const headers = sharedParts(
    'headers',
    each.flatMap(([place, { headers = {} }]) =>
      Object.entries(headers).map(([name, header]) => [`${name} of ${place}`, header] as const),
    ),
    (header) => header,
  )
  const withHeaders = (response: TitledResponse): object => ({
    ...response,
    ...(response.headers && { headers: written(headers, response.headers) }),
  })
  const responses = sharedParts('responses', each, withHeaders)
  return {
    components: { headers: headers.components, responses: responses.components },
    written: (some: Responses): object => written(responses, some),
  }
}

const written = <Part extends Titled>(parts: SharedParts<Part>, some: Readonly<Record<string, Part>>): object =>
  Object.fromEntries(Object.entries(some).map(([key, part]) => [key, parts.written(part)]))
