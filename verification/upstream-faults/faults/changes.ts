// Faults that change one thing in the data of an answer.
import { at, changed, type Path } from '../exact-json.ts'
import { answers, type Fault, type FaultKind, type TrueExchange, type Upstream } from '../fault.ts'

/** The whole answer with its data replaced. */
const withData = (json: unknown, data: unknown): string => JSON.stringify({ ...(json as object), data })

interface Change {
  readonly name: string
  readonly kind: FaultKind
  readonly upstream: Upstream
  /** In the data of the answer. Nothing is hit where nothing is there. */
  readonly path: Path
  /** Gets the value at the path and the whole exchange. */
  change(found: unknown, exchange: TrueExchange): unknown
}

/** A fault in the data of every answer that has something at the path. */
export const change = ({ name, kind, upstream, path, change: make }: Change): Fault => ({
  name: `${upstream} ${name}`,
  kind,
  upstream,
  hits: ({ json }) => at(json, 'data', ...path) !== undefined,
  sending: (exchange) =>
    answers(
      withData(
        exchange.json,
        changed(at(exchange.json, 'data'), path, (found) => make(found, exchange)),
      ),
    ),
})

/** A fault in the data of an answer as a whole, where `make` gives other data. */
export const reshaped = (
  name: string,
  kind: FaultKind,
  upstream: Upstream,
  make: (data: unknown, exchange: TrueExchange) => unknown,
): Fault => ({
  name: `${upstream} ${name}`,
  kind,
  upstream,
  hits: (exchange) => make(at(exchange.json, 'data'), exchange) !== undefined,
  sending: (exchange) => answers(withData(exchange.json, make(at(exchange.json, 'data'), exchange))),
})
