// The parts of a function that has an indexer walk staking ledgers. Other bundles leave out the code that keeps the
// rows.
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { Settings } from '../settings/settings.ts'
import { portsOf } from './upstreams.ts'

export const scanningPortsOf = (settings: Settings, clock?: Parameters<typeof portsOf>[2]) =>
  portsOf(settings, createLedgerScans, clock)
