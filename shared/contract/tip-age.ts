// From which age on a tip means something, in empty slots after it. Ages are whole slots, rounded down.

/**
 * Empty slots in a row after which a tip is too old to happen by chance: whatever concludes from a tip's age that a chain
 * stands still waits for more of them.
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

/** Worth a look by day: they come by chance once in eight months at 44 %, and otherwise tell of a node that lags or of a halt. */
export const rareEmptySlots = 20

/** From one empty slot more on a tip is worth a remark; what rests on it is still served. */
export const unremarkableEmptySlots = 10

/**
 * Beyond this a chain may be about to stand still. It happens 23 times a day at a density of 44 %, so it decides only where a
 * mistake costs a call or some patience: a second look, a shorter cache, a broadcast that waits.
 */
export const doubtfulEmptySlots = 5

/** Shown so far above nodes whose tips are remarkably old, the network goes on without them. Fewer may be a fork that does not last. */
export const blocksLeftBehind = 3
