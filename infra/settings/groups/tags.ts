// The tags of the stack, which CloudFormation gives to each of its resources that takes tags.
import { z } from 'zod'
import { descriptions } from '../kinds.ts'

/** The names of the stack's own tags: dashboards and the budget look for these. */
export const ownTags = ['service', 'stage', 'deployment'] as const

/** CloudFormation takes 50 for a stack. */
const maxTags = 50 - ownTags.length

const isOwn = (name: string): boolean => ownTags.some((own) => own === name)

/** The signs that every AWS service takes in a tag. */
const nameForm = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu
const valueForm = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u

function tagsFrom(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** A name cannot have `=`, with which the CDK ends it. */
const name = z
  .string()
  .regex(nameForm)
  .refine((text) => !text.includes('=') && !isOwn(text))

export const tags = z
  .preprocess(tagsFrom, z.record(name, z.string().regex(valueForm)))
  .refine((given) => Object.keys(given).length <= maxTags)
  .register(descriptions, {
    wants: `tags of the stack and of its resources beside its own (${ownTags.join(', ')}), as JSON in a variable: at most ${maxTags}, names of 1 to 128 characters that do not begin with aws:, values of at most 256, both of letters, digits, blanks and _ . : / + - @, a value of = too`,
    example: { CostCenter: '42' },
  })
