import type { BlockChange, Client, Cursor } from '../src/client.ts'

/** Where a program keeps its place on the chain, together with what it made of the blocks. */
export interface Place {
  cursor(): Promise<Cursor | undefined>
  save(change: BlockChange): Promise<void>
}

/** Saves every block of the best chain, and takes back those that a reorganisation orphans, over restarts of the program. */
export async function followChain(client: Client, place: Place, signal: AbortSignal) {
  await client.watchBlocks((change) => place.save(change), { cursor: await place.cursor(), signal })
}
