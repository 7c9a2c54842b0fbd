/** A header of an answer, for readers of the OpenAPI document. */
export interface ResponseHeader {
  /** Its name among the parts that the document writes once, and that of its enumeration. */
  readonly title: string
  readonly description: string
  readonly schema: {
    readonly type: 'string'
    readonly title?: string
    readonly enum?: readonly string[]
    readonly description?: string
  }
  /** The docs page and mock servers show it. */
  readonly example: string
}

/** @param values all that it can be, if they are few */
export const textHeader = (
  title: string,
  description: string,
  example: string,
  values?: readonly string[],
): ResponseHeader => ({
  title,
  description,
  schema: { type: 'string', ...(values && { title, enum: values, description }) },
  example,
})
