// A key of an upstream, by the name under which it is stored.
import { z } from 'zod'
import { nameOfSecret, optional, text } from './kinds.ts'

const secretForm =
  /^(?!arn:)[\w/+=.@-]{1,512}$|^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}-[a-zA-Z0-9]{6}$/
const secretText =
  'the name of a Secrets Manager secret that holds the text of the header, or its whole ARN: arn:aws:secretsmanager:<region>:<account>:secret:<name>-<6 characters>'
const parameterForm = /^(\/[\w.-]+)+$/
const parameterText = 'the name of an SSM parameter that holds the text of the header, beginning with a slash'

/** Either a secret or a parameter; `conflictsOf` checks that. */
export const credential = z.object({
  header: text(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'the name of the HTTP header that carries the key', 'x-api-key'),
  secret: optional(nameOfSecret(secretForm, /^arn:|^[\w/+=.@-]{1,512}$/, secretText, 'chain-explorer/node-key')),
  parameter: optional(nameOfSecret(parameterForm, parameterForm, parameterText, '/chain-explorer/node-key')),
})

export type Credential = z.infer<typeof credential>
