/** A fault at which a thread of the mina-indexer dies: it cuts the connection without an answer. */
export class Panic extends Error {
  override readonly name = 'Panic'
}
