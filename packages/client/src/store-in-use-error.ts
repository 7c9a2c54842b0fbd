/** Another queue uses the store. Nothing is lost: what this one has sent, that one follows. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError'
  /** Among the other codes of this client. */
  readonly code = 'store-in-use'

  constructor(message = 'another queue uses the store') {
    super(message)
  }
}
