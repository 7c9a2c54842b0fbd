// The service's address, or several of which none counts unless it is on the caller's network and its chain keeps up.
import { type Clock, minuteMs, realClock, restOf, type Signal, stopIfAborted } from './clock.ts'
import { NetworkMismatchError } from './network-mismatch-error.ts'
import { checkNumbers } from './numbers.ts'
import { requireOwn } from './own-network.ts'
import { ServiceError } from './service-error.ts'
import {
  type Answer,
  baseOf,
  type ClientOptions,
  defaultTimeoutMs,
  membersOf,
  type Send,
  sendTo,
  type Transport,
} from './transport.ts'

interface Address {
  readonly send: Send
  /** It has named the caller's network, and has answered since. */
  isSound: boolean
  /** Of the tip that it showed last. */
  height: number
}

/** So much lower a tip may be while a block travels. */
const maxLagBlocks = 1

/** One that hangs holds up the others no longer, once a minute. */
const maxSurveyMs = 2000

/** @throws TypeError for a wrong address, and for several without a network; RangeError for a time that cannot be */
export function createTransport(options: ClientOptions): Transport {
  checkNumbers(options)
  const { clock = realClock, baseUrls = [options.baseUrl] } = options
  const sends = baseUrls.map((baseUrl) => sendTo(baseOf(baseUrl), options))
  const [send, ...others] = sends
  if (!send) throw new TypeError('baseUrls has no address')
  return { clock, send: others.length > 0 ? sendToAny(sends, options, clock) : send }
}

function sendToAny(sends: readonly Send[], options: ClientOptions, clock: Clock): Send {
  const { network, timeoutMs } = options
  if (network === undefined) throw new TypeError('several baseUrls need a network')
  const addresses = sends.map((send): Address => ({ send, isSound: false, height: 0 }))
  // One that hangs leaves the others their time.
  const shareMs = (timeoutMs ?? defaultTimeoutMs) / addresses.length
  const surveyed = restOf(clock)
  let survey: Promise<unknown> | undefined

  const lags = ({ height }: Address): boolean =>
    height + maxLagBlocks < Math.max(...addresses.map((each) => each.height))

  const noteHeight = (address: Address, { header }: Answer): boolean => {
    const height = Number(header('x-chain-height')) || 0
    address.height = height || address.height
    return height > 0
  }

  /** @throws NetworkMismatchError; ServiceError where it does not name its network */
  async function check(address: Address, signal: Signal | undefined, limitMs = shareMs): Promise<void> {
    address.isSound = false
    const answer = await address.send('/network', { signal, timeoutMs: limitMs })
    const { networkName, ...said } = membersOf(answer.text)
    if (typeof networkName !== 'string')
      throw new ServiceError('the answer names no network', { status: answer.status })
    requireOwn(options, { ...said, networkName })
    noteHeight(address, answer)
    address.isSound = true
  }

  /** Of all addresses at once: that one of them lags is known only from another one. */
  async function checkAll(signal: Signal | undefined): Promise<void> {
    if (surveyed.isOver()) {
      surveyed.begin(minuteMs)
      const limitMs = Math.min(shareMs, maxSurveyMs)
      survey = Promise.all(addresses.map((address) => check(address, signal, limitMs).catch(() => undefined)))
    }
    await survey
    if (signal?.aborted) surveyed.begin(0)
    stopIfAborted(signal)
  }

  /** Throws where the chain of an address is too low to say what is absent, pending or next. What it shows is there. */
  async function refuseLag(address: Address, answer: Answer, signal: Signal | undefined): Promise<void> {
    const isTold = noteHeight(address, answer)
    if (!isTold && answer.status < 400) return
    if (!isTold && lags(address)) await check(address, signal)
    if (lags(address)) throw new ServiceError('the chain of this address lags', { status: 503 })
  }

  return async (path, more) => {
    const { body, signal } = more
    stopIfAborted(signal)
    await checkAll(signal)
    let unavailable: Answer | undefined
    let failure: unknown
    const rank = (address: Address) => Number(!address.isSound) + Number(lags(address))
    for (const address of [...addresses].sort((one, other) => rank(one) - rank(other))) {
      let isSent = false
      try {
        if (!address.isSound) await check(address, signal)
        isSent = body !== undefined
        const answer = await address.send(path, isSent ? more : { ...more, timeoutMs: shareMs })
        if (answer.status < 500) {
          await refuseLag(address, answer, signal)
          return answer
        }
        unavailable = answer
        address.isSound = false
      } catch (error) {
        stopIfAborted(signal)
        address.isSound = false
        // Any other failure may pass.
        if (!failure || !(error instanceof NetworkMismatchError)) failure = error
      }
      // The same bytes go to the next one when they are sent again.
      if (isSent) break
    }
    if (unavailable) return unavailable
    throw failure
  }
}
