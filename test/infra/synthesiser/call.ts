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

/**
 * Calls a function in `stacks/` in the synthesiser's process. Arguments and result travel as JSON, so that nothing of the
 * CDK is loaded here.
 *
 * @param module the file's name in `stacks/`
 * @throws Error with the message of what the function threw
 */
export async function callSynthesiser<Called extends (...args: never[]) => unknown>(
  module: string,
  name: string,
  ...args: Parameters<Called>
): Promise<ReturnType<Called>> {
  const call: SynthesiserCall = { module, name, args }
  const response = await fetch(process.env[addressVariable] ?? '', { method: 'POST', body: JSON.stringify(call) })
  const result = (await response.json()) as SynthesiserResult
  if ('error' in result) throw new Error(result.error)
  return result.value as ReturnType<Called>
}
