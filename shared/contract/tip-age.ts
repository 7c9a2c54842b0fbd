// The ages from which a tip means something, in empty slots after it: whole slots, rounded down.

/**
 * Empty slots in a row after which a tip is too old for chance: whatever concludes from a tip's age that a chain has
 * halted waits for more of them.
 *
 * The protocol aims at a block in three of four slots. Mainnet does not reach that aim: 68 % of its slots were filled up to
 * height 105501, 56 % up to 427394, 44 % from there to the Mesa fork at 548146, and 42 % in the hours after it. With a
 * density d and S slots a day, n or more empty slots come in a row S·d·(1−d)^n times a day. With 960 slots a day:
 *
 * | density | n = 10            | n = 20              | n = 30                  |
 * |---------|-------------------|---------------------|-------------------------|
 * | 56 %    | every week        | once in 70 years    | once in 250,000 years   |
 * | 44 %    | 1.3 times a day   | once in 8 months    | once in two centuries   |
 * | 35 %    | 4.5 times a day   | every 16 days       | once in 3 years         |
 *
 * Slots of 180 s halve these rates.
 */
export const maxEmptySlots = 30

/** Worth a look by day: by chance once in eight months at 44 %, otherwise the sign of a lagging node or of a halt. */
export const rareEmptySlots = 20

/** With more empty slots than this, a tip is worth a remark, but still served. */
export const unremarkableEmptySlots = 10

/**
 * Beyond this a chain may be about to halt. It happens 23 times a day at a density of 44 %, so it decides only where a
 * mistake costs a call or some time: a second look, a shorter cache, a broadcast that waits.
 */
export const doubtfulEmptySlots = 5

/** A chain this far above nodes with old tips shows that the network goes on without them; less may be a short fork. */
export const blocksLeftBehind = 3
