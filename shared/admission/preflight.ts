// The headers that a browser may send. Plain syntax, since this also runs in a CloudFront Function.

/** A longer list is not a browser's. */
const maxAskedLength = 512

const notInList = /[^!#$%&'*+\-.^_`|~0-9A-Za-z, ]/

/**
 * What a preflight is answered with: the names that it asks for, since scripts on a page add headers that nobody can list. A
 * wildcard would not do: it never covers `authorization`, and older browsers do not know it.
 *
 * @param asked `access-control-request-headers`
 * @param fixed the answer where that is absent, too long, or no list of header names
 */
export const allowedHeaders = (asked: string | undefined, fixed: string): string =>
  asked === undefined || asked === '' || asked.length > maxAskedLength || notInList.test(asked) ? fixed : asked
