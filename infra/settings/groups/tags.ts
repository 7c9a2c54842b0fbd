// The tags of the stack, which CloudFormation gives to each of its resources that takes tags.
import { z } from 'zod'
import { descriptions } from '../kinds.ts'

/** The names of the stack's own tags: dashboards and the budget look for these. */
export const ownTags = ['service', 'stage', 'deployment'] as const

/** CloudFormation takes 50 for a stack. */
const maxTags = 50 - ownTags.length

/** Route 53 takes 10 for a health check, which has the stack's own and a name. */
export const maxTagsOfHealthCheck = 10 - ownTags.length - 1

/** IAM takes names that differ only in case for one, and refuses the second. */
const isOwn = (name: string): boolean => ownTags.some((own) => own === name.toLowerCase())

const differInCaseAlone = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length

/** Some services cut blanks off, so that nothing or another name is left. */
const isTrimmed = (text: string): boolean => text === text.trim()

/** The signs that every AWS service takes in a tag. */
const nameForm = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu
/** CloudFormation takes no empty value. */
const valueForm = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,256}$/u

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
  .refine((text) => !text.includes('=') && !isOwn(text) && isTrimmed(text))

export const tags = z
  .preprocess(tagsFrom, z.record(name, z.string().regex(valueForm).refine(isTrimmed)))
  .refine((given) => Object.keys(given).length <= maxTags && !differInCaseAlone(Object.keys(given)))
  .register(descriptions, {
    wants: `tags of the stack and of its resources beside its own (${ownTags.join(', ')}), as JSON in a variable: at most ${maxTags}, names of 1 to 128 characters that do not begin with aws: and differ in more than case, values of 1 to 256, both without blanks at their ends, of letters, digits, blanks and _ . : / + - @, a value of = too`,
    example: { CostCenter: '42' },
  })
