// Wrong services, to show that the judge sees them, and the faults that bring each to light.
import type { Case } from './cases.ts'
import type { Variant } from './setting/service.ts'
import { wrongEndpoints } from './wrong/endpoints.ts'
import { wrongAboutIndexers } from './wrong/indexer.ts'
import { wrongPorts } from './wrong/ports.ts'

/** By the name that `--variant` takes. */
export const wrongVariants = { ...wrongPorts, ...wrongEndpoints, ...wrongAboutIndexers } satisfies Record<
  string,
  Variant
>

export type WrongVariant = keyof typeof wrongVariants

/** Names of faults of the catalogue, and of the requests that they are tried on. */
const shownBy: Readonly<Record<WrongVariant, readonly [fault: RegExp, scenario: RegExp]>> = {
  'takes-another-block': [/sends the block of/, /block/],
  'takes-another-account': [/account of another key/, /account/],
  'takes-absent-for-null': [/forgets the key/, /./],
  'takes-any-not-found-text': [/hold another block|of no block|"not found"/, /block/],
  'mends-broken-chains': [/newest first|skips a height|names another parent/, /latest/],
  'believes-contradictory-commands': [/names another|another token/, /^(?:payment|delegation)$/],
  'invents-a-nonce': [/nonce/, /account/],
  'sends-queries-twice': [/empty object/, /./],
  'shows-long-lists': [/fifteen|too many/, /latest/],
  'leaks-upstream-text': [/error alone|HTML with status 500/, /./],
  'calls-trouble-not-found': [/answers nothing|status 204/, /./],
  'rounds-long-integers': [/content type/, /block|summary/],
  'hides-failed-commands': [/content type/, /block/],
  'counts-no-zkapp-commands': [/content type/, /block/],
  'believes-applied-and-failed': [/both applied and failed/, /block/],
  'hides-what-is-missing': [/^indexer answers data/, /block|account/],
  'fails-with-the-indexer': [/^indexer answers data/, /block|account/],
  'shows-another-ledger': [/staking ledger of epoch 0/, /account/],
  'believes-another-chain': [/read another chain/, /account/],
  'shows-half-a-ledger': [/lacks .* delegator/, /account/],
  'calls-unwritten-rows-none': [/own row of a ledger/, /account/],
  'keeps-half-a-ledger': [/own row of a ledger|lacks .* delegator/, /account/],
  'shows-the-next-epochs-length': [/content type/, /old block/],
  'shows-the-connecting-ledger': [/content type/, /old block/],
  'shows-gross-fee-transfers': [/content type/, /before Berkeley/],
  'calls-unconnected-blocks-abandoned': [/not connected/, /old block/],
  'calls-unread-blocks-unknown': [/first blocks only/, /block/],
  'calls-lost-broadcasts-refused': [/answers data: null|error alone/, /looked for/],
}

/** The cases of the catalogue in which a wrong service should be seen. */
export const telling = (variant: WrongVariant, cases: readonly Case[]): readonly Case[] => {
  const [fault, scenario] = shownBy[variant]
  return cases.filter(
    (one) => one.fault.kind !== 'field' && fault.test(one.fault.name) && scenario.test(one.scenario.name),
  )
}

export const isWrongVariant = (name: string): name is WrongVariant => Object.hasOwn(wrongVariants, name)
