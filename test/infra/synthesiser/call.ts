import { addressVariable, type SynthesiserCall, type SynthesiserResult } from './protocol.ts'

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
