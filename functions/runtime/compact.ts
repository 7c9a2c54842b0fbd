// Objects without undefined members.

type Compact<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key]
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** The members of an object that are not undefined, in their order. */
export const compact = <T extends object>(members: T): Compact<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Compact<T>

/** For a member that is present only if something is true. */
export const trueIf = (isSo: boolean | undefined): true | undefined => isSo || undefined

/** For a count that is 1 if something is true, and absent otherwise. */
export const oneIf = (isSo: boolean | undefined): 1 | undefined => (isSo ? 1 : undefined)
