// Requests on which a viewer function might spend long, most of them as long as CloudFront accepts.
import { filledPath, unheldValues } from '../../../../shared/contract/parameters.ts'
import { endpoints } from '../../../../shared/endpoints/all.ts'
import { attackedTargets } from '../../attacked-targets.ts'

const maxLength = 8192

const filled = (start: string, part: string): string => start.padEnd(maxLength, part)

const keys = (count: number, key: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => key(index)).join('&')

/** For each GET that has options. */
const longOptions = endpoints.flatMap(({ name, path, query }): [string, string][] => {
  const start = filledPath(path, unheldValues)
  const options = Object.keys(query?.options ?? {})
  const each = Math.floor((maxLength - start.length) / options.length)
  const longest = options.map((option) => `${option}=`.padEnd(each - 1, '9')).join('&')
  return options.length === 0 ? [] : [[`the longest options of ${name}`, `${start}?${longest}`]]
})

/** By what makes them costly. */
export const costlyTargets: Readonly<Record<string, string>> = {
  // The longest numbers that options may have.
  ...Object.fromEntries(attackedTargets(999_999_999)),
  ...Object.fromEntries(longOptions),
  slashes: filled('/', '/'),
  'one-letter segments': filled('/', 'a/'),
  'encoded slashes': filled('/', '%2F/'),
  'a long hash': filled('/blocks/', '3N'),
  'the most slashes of a path that is looked at': '/'.repeat(256),
  'its most segments': '/'.padEnd(256, 'a/'),
  'its most repeated slashes': '/'.padEnd(256, '//a'),
  'zeros before a one': `${filled('/blocks?limit=', '0')}1`,
  'nines before a letter': `${filled('/blocks?limit=', '9')}x`,
  'encoded digits': filled('/blocks?limit=', '%39'),
  'broken encoding': filled('/blocks?limit=', '%3'),
  'the most unknown keys': `/blocks?${keys(2700, (index) => `a${index}`)}`,
  'the most unknown keys on a route without keys': `/summary?${keys(2700, (index) => `a${index}`)}`,
  '1,000 limits': `/blocks?${keys(1000, () => 'limit=1')}`,
  '700 encoded limits': `/blocks?${keys(700, (index) => `%6Cimi${index}`)}`,
  'the most keys that are looked at': `/blocks?${keys(32, (index) => `%6Cimi%7${index % 10}${'abcd'[index % 4]}${index}`)}`,
  'as many long ones': `/blocks?${keys(32, (index) => `k${index}=${'%31'.repeat(80)}`)}`,
  'one option 32 times': `/blocks?${keys(32, () => 'heigh%74=1')}`,
}
