// The headers that a browser may send. Plain syntax, since this also runs in a CloudFront Function.

/** Browsers ask for less. */
const maxAskedLength = 512

const notInList = /[^!#$%&'*+\-.^_`|~0-9A-Za-z, ]/

/**
 * Allows the header names that a preflight asks for: scripts on a page add headers that we cannot foresee. A wildcard
 * does not cover `authorization`, and older browsers do not know it.
 *
 * @param asked `access-control-request-headers`
 * @param fixed the answer if that is absent, too long, or not a list of header names
 */
export const allowedHeaders = (asked: string | undefined, fixed: string): string =>
  asked === undefined || asked === '' || asked.length > maxAskedLength || notInList.test(asked) ? fixed : asked
