// Keys of upstreams, read by name from AWS's Parameters and Secrets extension, which runs beside the function: the keys
// stand in no setting, and no AWS SDK in the bundle.
import { WireError } from '../../shared/errors.ts'

/** Where a key is kept, and the header that carries it. */
export interface Credential {
  readonly header: string
  /** Name or ARN in Secrets Manager. */
  readonly secret?: string
  /** Name in SSM, instead of a secret. */
  readonly parameter?: string
}

/** How the extension is asked. */
export interface Extension {
  readonly url: string
  /** Shows the extension that its own function asks. */
  readonly token: string
}

/** AWS's fixed address of the extension. */
export const extensionUrl = 'http://localhost:2773'

const patienceMs = 2500

function textOf(answer: unknown, { parameter }: Credential): string | undefined {
  const field = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  const text = parameter === undefined ? field(answer, 'SecretString') : field(field(answer, 'Parameter'), 'Value')
  return typeof text === 'string' && text !== '' ? text : undefined
}

function addressOf({ secret = '', parameter }: Credential, url: string): string {
  return parameter === undefined
    ? `${url}/secretsmanager/get?secretId=${encodeURIComponent(secret)}`
    : `${url}/systemsmanager/parameters/get?withDecryption=true&name=${encodeURIComponent(parameter)}`
}

/**
 * Reads a key. The extension keeps it for a minute, so this is asked before each call to the upstream.
 *
 * @throws WireError (`unreachable`) without the key's name, when it cannot be had
 */
export async function readKey(credential: Credential, { url, token }: Extension): Promise<string> {
  try {
    const response = await fetch(addressOf(credential, url), {
      headers: { 'x-aws-parameters-secrets-token': token },
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = response.ok ? textOf(await response.json(), credential) : undefined
    if (text !== undefined) return text
    throw new Error(`the extension answered ${response.status}`)
  } catch (error) {
    throw new WireError('unreachable', `key of the header ${credential.header}: ${String(error)}`, { cause: error })
  }
}
