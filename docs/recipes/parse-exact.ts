type Reviver = (key: string, value: unknown, context: { readonly source?: string } | undefined) => unknown

const exactInteger: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

/** Parses JSON; an integer that a number cannot hold becomes a bigint with every digit. */
export function parseExact(text: string) {
  return JSON.parse(text, exactInteger as Parameters<typeof JSON.parse>[1])
}

/** For runtimes without `context.source`: long integers, such as `totalCurrency`, come as text. */
export function parseLongIntegersAsText(text: string) {
  const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|-?\d{16,}/g
  return JSON.parse(text.replace(stringOrLongInteger, (found) => (found.startsWith('"') ? found : `"${found}"`)))
}
