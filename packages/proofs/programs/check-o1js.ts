// npm run check:o1js: o1js reads the accounts of the embedded node, makes and signs a transaction, and is told that it cannot be
// sent there. o1js comes from the registry into a temporary folder, so the gate runs this only where it is asked for.
import { deepStrictEqual } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startService } from '../../../local/start/service.ts'
import type { Chain } from '../../testnet/chain.ts'

const o1js = 'o1js@2.15.0'
const run = promisify(execFile)

/** An account as o1js is to show it. @throws Error if the chain has no such account */
function shownAccount(chain: Chain, publicKey: string) {
  const account = chain.account(publicKey)
  if (account === undefined) throw new Error(`no account ${publicKey}`)
  const { balance, nonce, delegate, zkapp } = account
  return {
    ...{ balance: String(balance), nonce: String(nonce), delegate, isSpentBySignature: zkapp === null },
    ...(zkapp && {
      appState: zkapp.elements.map(String),
      actionStates: 5,
      provedState: zkapp.isProved,
      uri: zkapp.uri,
      verificationKeyHash: String(zkapp.verificationKeyHash),
    }),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'o1js-'))
const service = await startService({ blockSeconds: 3600, log: () => undefined })
try {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--no-audit', '--no-fund', o1js], { cwd: folder })
  await copyFile(join(import.meta.dirname, 'check-o1js/transaction.mjs'), join(folder, 'transaction.mjs'))
  const { chain, nodeUrl, wallets } = service
  const [wallet, zkapp] = ['alice', 'judy'].map((name) => wallets.find((each) => each.name === name))
  if (!chain || !wallet || !zkapp) throw new Error('a chain with these wallets was wanted')
  const args = [join(folder, 'transaction.mjs'), nodeUrl, wallet.privateKey, zkapp.publicKey]
  const { stdout } = await run(process.execPath, args, { cwd: folder })
  deepStrictEqual(JSON.parse(stdout), {
    wallet: shownAccount(chain, wallet.publicKey),
    zkapp: shownAccount(chain, zkapp.publicKey),
    missing: 'fetchAccount: Account with public key KEY does not exist.',
    height: String(chain.tip().height),
    transaction: { nonce: String(chain.account(wallet.publicKey)?.nonce), updates: 3, isSigned: true },
    sent: { status: 'rejected', reason: ["Field 'sendZkapp' is not defined on type 'mutation'"] },
  })
  console.log(`${o1js} reads the embedded node, and makes and signs a transaction there; it cannot send it`)
} finally {
  await service.close()
  await rm(folder, { recursive: true })
}
