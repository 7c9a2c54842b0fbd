// The options of an endpoint with their words, for readers of the OpenAPI document.
import type { QueryDeclaration } from './kinds.ts'

export interface DescribedQuery<Options extends QueryDeclaration = QueryDeclaration> {
  readonly options: Options
  readonly words: { readonly [Name in keyof Options]: string }
}

/** Call it inside a function: the bundle of an endpoint, which does not call that, then drops the words. */
export const described = <Options extends QueryDeclaration>(
  options: Options,
  words: { readonly [Name in keyof Options]: string },
): DescribedQuery<Options> => ({ options, words })
