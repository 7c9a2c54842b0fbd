// Addresses and names that settings hold: upstreams, and things of AWS that exist before the stack.
import { hidden, optional, quoted, type Rule, textOf } from './setting-rules.ts'

/**
 * An address of a GraphQL upstream.
 *
 * @param owner whose GraphQL it is, as in `a node's`
 */
export const graphqlUrl = (owner: string, example: string): Rule<string> => ({
  wants: `the http or https address of ${owner} GraphQL, without user name and password`,
  example,
  parse(given) {
    const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
    const isUsable = url?.username === '' && url.password === '' && ['http:', 'https:'].includes(url.protocol)
    return isUsable ? url.href : undefined
  },
  // Before the last @ there may be a password, and after a ? a key, in text that is no address as well.
  show: (given) =>
    quoted(
      typeof given === 'string'
        ? given.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…')
        : given,
    ),
})

export const region = textOf(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region of AWS', 'us-east-1')

export const chainId = optional(
  textOf(
    /^[0-9a-f]{64}$/i,
    "the chain id that the node's daemonStatus gives: 64 hexadecimal digits",
    '0123456789abcdef'.repeat(4),
  ),
)

/** The name of an HTTP header. */
export const headerName = textOf(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'the name of an HTTP header', 'x-api-key')

const secretName = /^[\w/+=.@-]{1,512}$/
const secretArn = /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}-[a-zA-Z0-9]{6}$/

const namesSecret = (text: string): boolean => (text.startsWith('arn:') ? secretArn : secretName).test(text)

/** A secret that exists already; only its name or ARN ever stands in a setting. */
export const secret: Rule<string> = {
  wants:
    'the name of a Secrets Manager secret, or its whole ARN: arn:aws:secretsmanager:<region>:<account>:secret:<name>-<6 characters>',
  example: 'chain-explorer/node-key',
  parse: (given) => (typeof given === 'string' && namesSecret(given) ? given : undefined),
  show: (given) =>
    typeof given === 'string' && (given.startsWith('arn:') || namesSecret(given)) ? quoted(given) : hidden,
}

const parameterName = /^(\/[\w.-]+)+$/

/** A parameter that exists already; only its name ever stands in a setting. */
export const parameter: Rule<string> = {
  ...textOf(parameterName, 'the name of an SSM parameter, beginning with a slash', '/chain-explorer/node-key'),
  show: (given) => (typeof given === 'string' && parameterName.test(given) ? quoted(given) : hidden),
}

export const vpcId = textOf(/^vpc-[0-9a-f]{8,17}$/, 'the id of a VPC that reaches the node', 'vpc-0a1b2c3d4e5f67890')

export const domainName = textOf(
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'a domain name in lower case',
  'explorer.example.org',
)

export const hostedZoneId = textOf(/^Z[A-Z0-9]{6,31}$/, 'the id of a Route 53 hosted zone', 'Z0123456789ABCDEFGHIJ')

/** CloudFront takes certificates of this region only, wherever the stack is. */
export const certificateArn = textOf(
  /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/,
  'the ARN of an ACM certificate in us-east-1, since CloudFront takes no other',
  'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
)

export const emailAddress = textOf(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address', 'ops@example.org')

export const topicArn = textOf(
  /^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
  'the ARN of an SNS topic',
  'arn:aws:sns:us-east-1:123456789012:explorer-alarms',
)
