/** A header of an answer, for readers of the OpenAPI document. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: { readonly type: 'string'; readonly enum?: readonly string[] }
  /** The docs page and mock servers show it. */
  readonly example: string
}

/** @param values all that it can be, where they are few */
export const textHeader = (description: string, example: string, values?: readonly string[]): ResponseHeader => ({
  description,
  schema: { type: 'string', ...(values && { enum: values }) },
  example,
})
