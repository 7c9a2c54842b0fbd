// Keys of upstreams, read by name from AWS's Parameters and Secrets extension, which runs beside the function: no
// setting holds a key, and no bundle the AWS SDK.

import { lastingTime } from '../../../shared/chain/lasting-time.ts'
import { memberOf } from '../../../shared/mapping/exact-json.ts'
import { nodeBusy, WireError } from '../../../shared/upstream/errors.ts'
import type { Deadline, Reply } from '../../../shared/upstream/query.ts'
import { systemClock } from '../system-clock.ts'
import { createTransport, type HttpRequest } from './transport.ts'

/** Where a key is stored, and the header that carries it. */
export interface Credential {
  readonly header: string
  /** Name or ARN in Secrets Manager. */
  readonly secret?: string
  /** Name in SSM, instead of a secret. */
  readonly parameter?: string
}

/** The address and the token of the extension. */
export interface Extension {
  readonly url: string
  /** Proves to the extension that its own function asks. */
  readonly token: string
}

/** AWS's fixed address of the extension. */
export const extensionUrl = 'http://localhost:2773'

/** For all attempts to read a key. */
const patienceMs = 2500

/** Waits. Resolves early, without an error, when the signal aborts. */
const pauseFor: Deadline['pause'] = async (milliseconds, signal) => {
  const { setTimeout: wait } = process.getBuiltinModule('node:timers/promises')
  await wait(milliseconds, undefined, signal && { signal }).catch(() => undefined)
}

/** Between the attempts. */
const pausesMs = [50, 150, 400]

/** On a cold start the extension answers 400 until it is ready. 429 and 5xx are Secrets Manager's or SSM's. */
const mayPass = (status: number): boolean => status === 400 || status === 429 || status >= 500

/** Refuses for lack of capacity, whatever the body says. */
const isLoad = (status: number): boolean => status === 429 || status === 503

const send = createTransport({ timeoutMs: patienceMs })

/** The key in the extension's answer, which no error may quote. */
function keyIn(answer: string, { parameter }: Credential): string | undefined {
  try {
    const json: unknown = JSON.parse(answer)
    const key =
      parameter === undefined ? memberOf(json, 'SecretString') : memberOf(memberOf(json, 'Parameter'), 'Value')
    // A key stored from a file usually ends with a line break, which no header can carry.
    return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined
  } catch {
    return undefined
  }
}

function addressOf({ secret = '', parameter }: Credential, url: string): string {
  return parameter === undefined
    ? `${url}/secretsmanager/get?secretId=${encodeURIComponent(secret)}`
    : `${url}/systemsmanager/parameters/get?withDecryption=true&name=${encodeURIComponent(parameter)}`
}

async function attempt(
  credential: Credential,
  request: HttpRequest,
  pause: Deadline['pause'],
  [nextPauseMs, ...laterPausesMs]: readonly number[],
): Promise<string> {
  const { status, text } = await send(request)
  const key = status === 200 ? keyIn(text, credential) : undefined
  if (key !== undefined) return key
  if (nextPauseMs === undefined || !mayPass(status)) {
    const failure = `the extension answered ${status}`
    throw isLoad(status) ? nodeBusy(failure) : new Error(failure)
  }
  await pause(nextPauseMs, request.signal)
  return attempt(credential, request, pause, laterPausesMs)
}

/**
 * Reads a key as it is now: the stack's extension caches nothing. Retries temporary failures.
 *
 * @param pause between the attempts
 * @throws WireError without the key's name if it cannot be read: `busy` if that is for load, else `unreachable`
 */
export async function readKey(
  credential: Credential,
  { url, token }: Extension,
  pause: Deadline['pause'] = pauseFor,
): Promise<string> {
  const request: HttpRequest = {
    url: addressOf(credential, url),
    method: 'GET',
    headers: { 'x-aws-parameters-secrets-token': token },
    signal: AbortSignal.timeout(patienceMs),
  }
  try {
    return await attempt(credential, request, pause, pausesMs)
  } catch (error) {
    const fault = error instanceof WireError && error.fault === 'busy' ? 'busy' : 'unreachable'
    throw new WireError(fault, `key of the header ${credential.header}: ${String(error)}`, { cause: error })
  }
}

/** A key older than this is read again. */
const maxKeptMs = 60_000

/** A younger key is not, even when it is refused: an upstream that refuses every key must not cost a read per call. */
const minKeptMs = 5000

/** The key of an upstream, as a function keeps it. */
interface KeptKey {
  readonly header: string
  /** @throws WireError as `readKey` when it was never read and cannot be read now */
  current(): Promise<string>
  /** The key that replaced a refused one; `undefined` if it is unchanged. */
  successorOf(refused: string): Promise<string | undefined>
}

/**
 * Reads a key at its first use, every minute, and when it is refused. While none can be read, the old one stays in use.
 *
 * @param now in milliseconds; never goes back, and continues while the instance is frozen
 * @param pause between attempts to read it
 */
export function keptKey(
  credential: Credential,
  extension: Extension,
  now: () => number = lastingTime(systemClock),
  pause: Deadline['pause'] = pauseFor,
): KeptKey {
  let reading: Promise<string> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const keptFor = (atMostMs: number): Promise<string> => {
    if (reading !== undefined && now() - readAt < atMostMs) return reading
    const last = reading
    readAt = now()
    reading = readKey(credential, extension, pause).catch((error: unknown) => {
      if (last !== undefined) return last
      reading = undefined
      throw error
    })
    return reading
  }

  return {
    header: credential.header,
    current: () => keptFor(maxKeptMs),
    async successorOf(refused) {
      const key = await keptFor(minKeptMs)
      return key === refused ? undefined : key
    },
  }
}

/** The statuses with which a gateway refuses a key. */
const keyRefusals = [401, 403]

/** Sends a question with its key; repeats a query if the key was refused and has been replaced. */
export async function withKey(
  key: KeptKey,
  isQuery: boolean,
  send: (header: Readonly<Record<string, string>>) => Promise<Reply>,
): Promise<Reply> {
  const current = await key.current()
  const reply = await send({ [key.header]: current })
  if (!keyRefusals.includes(reply.status)) return reply
  const successor = await key.successorOf(current)
  // A gateway that refuses the key should have passed nothing on; for a mutation, the broadcast checks that.
  return successor === undefined || !isQuery ? reply : send({ [key.header]: successor })
}
