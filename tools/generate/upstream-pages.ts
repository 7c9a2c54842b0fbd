// The table of what the service's questions need of an upstream.
import {
  type FieldNode,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
  visit,
} from 'graphql'
import { endpoints } from '../../shared/endpoints/all.ts'
import { type Operation, withTipForms } from '../../shared/upstream/operation.ts'

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`

const fieldsOf = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).filter((selection) => selection.kind === 'Field')

const levels = (set: SelectionSetNode | undefined): number =>
  Math.max(0, ...fieldsOf(set).map(({ selectionSet }) => 1 + levels(selectionSet)))

const countFields = (set: SelectionSetNode | undefined): number =>
  fieldsOf(set).reduce((count, { selectionSet }) => count + 1 + countFields(selectionSet), 0)

function countTokens(document: string): number {
  const lexer = new Lexer(new Source(document))
  let count = 0
  while (lexer.advance().kind !== TokenKind.EOF) count++
  return count
}

function countAliases(document: string): number {
  let count = 0
  visit(parse(document), { Field: ({ alias }) => void (alias && count++) })
  return count
}

/**
 * Counts as limits on questions do: levels of fields, those of the root being the first, fields, and aliases, tokens and
 * bytes of the document.
 */
export function sizeOfDocument(document: string) {
  const definition = parse(document).definitions.find(
    (each): each is OperationDefinitionNode => each.kind === 'OperationDefinition',
  )
  if (definition === undefined) throw new Error('the document has no operation')
  const { selectionSet } = definition
  return {
    levels: levels(selectionSet),
    fields: countFields(selectionSet),
    aliases: countAliases(document),
    tokens: countTokens(document),
    bytes: Buffer.byteLength(document),
  }
}

const operations: readonly Operation[] = withTipForms([
  ...new Set(endpoints.flatMap((endpoint) => endpoint.operations)),
])

/** The largest of each size among the questions to an upstream. */
export function needsOf(upstream: Operation['upstream']) {
  const sizes = operations
    .filter((operation) => operation.upstream === upstream)
    .map(({ document }) => sizeOfDocument(document))
  const largest = (of: keyof ReturnType<typeof sizeOfDocument>) => Math.max(...sizes.map((size) => size[of]))
  const [levels, fields, aliases] = [largest('levels'), largest('fields'), largest('aliases')]
  return { levels, fields, aliases, tokens: largest('tokens'), bytes: largest('bytes') }
}

export const needsTable = (): string =>
  [
    row(['To', 'Levels of fields', 'Fields', 'Aliases', 'Tokens', 'Bytes of the document']),
    '|---|---|---|---|---|---|\n',
    ...(['node', 'indexer'] as const).map((upstream) => {
      const counts = Object.values(needsOf(upstream))
      return row([`the ${upstream}`, ...counts.map((count) => count.toLocaleString('en'))])
    }),
  ].join('')
