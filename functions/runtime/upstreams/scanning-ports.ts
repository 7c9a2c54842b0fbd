// The parts of a function that has an indexer walk staking ledgers. The bundles of others do not hold what keeps their rows.
import { createLedgerScans } from '../../../shared/upstream/ledger-scans.ts'
import type { Settings } from '../settings/settings.ts'
import { portsOf } from './upstreams.ts'

export const scanningPortsOf = (settings: Settings, clock?: Parameters<typeof portsOf>[2]) =>
  portsOf(settings, createLedgerScans, clock)
