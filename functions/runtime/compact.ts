// Objects that have a key only where there is something to say.

type Compact<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key]
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** The members of an object that are not undefined, in their order. */
export const compact = <T extends object>(members: T): Compact<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Compact<T>

/** For a member that is there only where something is so. */
export const trueIf = (isSo: boolean | undefined): true | undefined => isSo || undefined

/** For a count that is 1 where something is so, and else not there. */
export const oneIf = (isSo: boolean | undefined): 1 | undefined => (isSo ? 1 : undefined)
