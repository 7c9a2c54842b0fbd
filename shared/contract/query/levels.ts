// Options given together or not at all, by level. Plain syntax, since this also runs in a CloudFront Function.
import type { QueryDeclaration } from './kinds.ts'
import type { OptionFault, OptionTexts } from './read-options.ts'

/** The faults of options that are absent beside others of their level or above it: one for each level. */
export function absenceFaults(options: QueryDeclaration, given: OptionTexts): readonly OptionFault[] {
  const names = Object.keys(options)
  const levelOf = (name: string): number => options[name]?.level ?? 0
  const firstOfLevels = names.filter(
    (name, index) => levelOf(name) > 0 && names.map(levelOf).indexOf(levelOf(name)) === index,
  )
  return firstOfLevels.map(levelOf).reduce<readonly OptionFault[]>((faults, level) => {
    const together = names.filter((name) => levelOf(name) === level)
    const further = names.filter((name) => levelOf(name) > level)
    const absent = together.filter((name) => given[name] === undefined)
    const isAsked = together.concat(further).some((name) => given[name] !== undefined)
    if (absent.length === 0 || !isAsked) return faults
    const rule = `${together.join(', ')} are given together or not at all`
    const beside = further.length === 0 ? '' : `, and ${further.join(', ')} only beside them`
    const verb = absent.length === 1 ? 'is' : 'are'
    return faults.concat({ at: absent.join(', '), problem: `${verb} missing: ${rule}${beside}` })
  }, [])
}
