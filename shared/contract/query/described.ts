// The options of an endpoint with their words, for readers of the OpenAPI document.
import type { QueryDeclaration } from './kinds.ts'

/** Options, with their words kept apart, so that no bundle holds the words. */
export interface DescribedQuery<Options extends QueryDeclaration = QueryDeclaration> {
  readonly options: Options
  readonly words: { readonly [Name in keyof Options]: string }
}

export const described = <Options extends QueryDeclaration>(
  options: Options,
  words: { readonly [Name in keyof Options]: string },
): DescribedQuery<Options> => ({ options, words })
