// Once all is settled, the same client is asked again, for more blocks than before. What it remembers must not answer for the chain.
import type { Client, Inclusion, QueueStore } from '../../../client/src/client.ts'
import type { VirtualTime } from '../time.ts'
import type { createAdversary } from './adversary.ts'
import type { Program } from './machine.ts'
import type { Kept, Owner, Told } from './owner.ts'
import { askedAgain, hour, minute, type Setting } from './setting.ts'

/** Long enough for as many blocks as are asked for. */
const maxAskingMs = 8 * hour

/** Of the reorganisation between the two questions. */
const deepestBetween = 20

/** From so many blocks on a client remembers a command as settled. */
const minSettled = 15

interface Asking {
  readonly setting: Setting
  readonly owner: Owner
  readonly client: Client
  readonly program: Program
  readonly adversary: ReturnType<typeof createAdversary>
  /** Called with what a queue throws. */
  readonly endsQueue: (error: unknown) => void
  readonly trace: (line: () => string) => void
}

/**
 * Asks for each command that the client has called paid and for those of the same nonce, after it has settled the paid one.
 *
 * @param tells called with each end that it tells
 */
export async function askAgain(asking: Asking, time: VirtualTime, tells: (told: Told) => void): Promise<void> {
  const untilMs = time.now() + maxAskingMs
  let isAsking = true
  void ask(asking, tells).then(() => {
    isAsking = false
  })
  while (isAsking && asking.program.isRunning() && time.now() < untilMs) await time.wait(5 * minute)
}

async function ask(
  { setting: { asksAgain, pollMs }, owner, client, program: { alive, clock }, adversary, endsQueue, trace }: Asking,
  tells: (told: Told) => void,
): Promise<void> {
  if (asksAgain === undefined) return
  const paid = owner.ends.filter(({ state }) => state === 'included').map(({ kept }) => kept)
  const rivalsOf = (kept: Kept) =>
    owner.signed.filter((other) => other !== kept && other.command.nonce === kept.command.nonce)
  const asked = owner.signed.filter((kept) => paid.includes(kept) || rivalsOf(kept).some((one) => paid.includes(one)))

  async function waitFor(kept: Kept, confirmations: number): Promise<Inclusion> {
    const { signed, hash, sentAtTip } = kept
    for (;;) {
      const options = { confirmations, sentAtTip, rivals: rivalsOf(kept), pollMs }
      const end = await alive(client.waitForInclusion(signed, hash, options)).catch(() => undefined)
      if (end && !['unconfirmed', 'undecided', 'no-account'].includes(end.state)) return end
      await clock.wait(pollMs)
    }
  }
  function tell(kept: Kept, end: Inclusion): void {
    trace(() => `${kept.hash.slice(0, 8)} ends again: ${end.state}`)
    tells(owner.toldOf(kept, end))
  }

  await Promise.all(paid.map((kept) => waitFor(kept, minSettled)))
  if (asksAgain.afterRival) for (const { command } of paid) adversary.bringRival(command, deepestBetween)
  if (asksAgain.by === 'waitForInclusion') {
    await Promise.all(asked.map(async (kept) => tell(kept, await waitFor(kept, askedAgain))))
    return
  }
  // Where there are rivals, the store has those alone: what the client remembers of the paid ones is all that it has of them.
  const rivals = asked.filter((kept) => !paid.includes(kept))
  const left = new Set(rivals.length > 0 ? rivals : asked)
  const store: QueueStore = {
    commands: () => alive([...left]),
    async settle({ hash }, end) {
      await alive(undefined)
      for (const kept of left) if (kept.hash === hash && left.delete(kept)) tell(kept, end)
    },
  }
  while (left.size > 0) {
    await client.sendQueue(store, { pollMs, confirmations: askedAgain }).catch(endsQueue)
    await clock.wait(minute)
  }
}
