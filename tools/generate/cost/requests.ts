// The cost of requests: in front of CloudFront's cache, behind it, and on the way out.
import { apiTiers, perRequest, tiered, trafficTiers } from './prices.ts'

export const secondsPerMonth = 30 * 24 * 3600

/** An answer by what it costs. */
export interface Answer {
  readonly name: string
  /** Of headers and body, as they leave CloudFront. */
  readonly bytes: number
  /** Of the API, 512 KB each, before compression. */
  readonly apiUnits: number
  /** Run time of the function in milliseconds, most of it spent waiting for the node. */
  readonly functionMs: number
}

/** The memory of a function. */
export const functionGb = 0.5

/** The service's line and the access log's. */
const logBytesPerCall = 1300 + 260

/** @returns dollars for requests in front of the cache, whether they hit or miss */
export const edgeDollars = (requests: number, hasFirewall: boolean): number =>
  (requests / 1e6) * (perRequest.edgeRequest + perRequest.edgeFunction + (hasFirewall ? perRequest.firewallRequest : 0))

/** @returns dollars for runs of a function, with their lines in the log */
export const functionDollars = (calls: number, ms: number): number =>
  (calls / 1e6) * (perRequest.functionRequest + ((ms * functionGb) / 1000) * perRequest.functionTime) +
  ((calls * logBytesPerCall) / 1e9) * perRequest.log

/** @returns dollars for calls behind the cache */
export const originDollars = (calls: number, { apiUnits, functionMs }: Answer): number =>
  tiered((calls * apiUnits) / 1e6, apiTiers) + functionDollars(calls, functionMs)

/** @returns dollars for what leaves CloudFront */
export const trafficDollars = (requests: number, { bytes }: Answer): number =>
  tiered((requests * bytes) / 1e9, trafficTiers)
