// The service's answers when both of its upstreams know everything.
import type { AccountResponse } from '../../shared/contract/account.ts'
import type { BlockResponse, BlocksResponse } from '../../shared/contract/block.ts'
import type { Summary } from '../../shared/contract/summary.ts'
import type { Exact } from '../../shared/mapping/json.ts'

/** Keys whose absence says something, whoever is asked. */
type Telling = 'failureReason'

type AllRequired<T> = T extends readonly (infer Item)[]
  ? readonly AllRequired<Item>[]
  : T extends object
    ? EachRequired<Omit<T, Telling>> & Pick<T, Extract<keyof T, Telling>>
    : T

type EachRequired<T> = { [Key in keyof T]-?: AllRequired<T[Key]> }

/**
 * A body of the contract with every field, the optional ones too. An expected body has this type, so that a field that
 * is new in the contract and forgotten here does not compile. What one upstream does not know is taken out by name.
 */
export type Complete<T> = Exact<AllRequired<T>>

/** A body that would be right. */
export type ExpectedBody = Exact<BlocksResponse | BlockResponse | AccountResponse | Summary>
