/** The environment variable with the synthesiser's address. Jest's workers inherit it. */
export const addressVariable = 'SYNTHESISER_ADDRESS'

/** A function of a module in `stacks/`, with its arguments. */
export interface SynthesiserCall {
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
}

/** The returned value, or the message of the error. */
export type SynthesiserResult = { readonly value: unknown } | { readonly error: string }
