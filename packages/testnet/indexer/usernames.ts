// Display names, which an indexer knows from outside the chain. Most keys have none.
import type { Chain } from '../chain.ts'

const displayNames: Readonly<Record<string, string>> = {
  alice: 'Alice',
  bob: 'Bob',
  erin: 'Erin',
  kestrel: 'Kestrel Nodes',
  heron: 'Heron Staking',
  osprey: 'Osprey Pool',
}

/** The names of test wallets and block producers, by public key. */
export const usernamesOf = ({ wallets, producers }: Chain): ReadonlyMap<string, string> =>
  new Map(
    [...wallets, ...producers].flatMap(({ name, publicKey }): [string, string][] => {
      const displayName = displayNames[name]
      return displayName === undefined ? [] : [[publicKey, displayName]]
    }),
  )
