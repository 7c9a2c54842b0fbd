// The table of locked supply, compiled in if the stage's settings name one.
import { type LockedSupply, parseLockedSupply } from './locked-supply.ts'

/** Set by the bundler; absent in code that is not bundled. */
declare const LOCKED_SUPPLY_CSV: string | undefined

/** Empty without a setting: then only on-chain locks would count, and mainnet has none left. */
export const lockedSupplyTable: readonly LockedSupply[] = parseLockedSupply(
  typeof LOCKED_SUPPLY_CSV === 'undefined' ? '' : LOCKED_SUPPLY_CSV,
)
