/** Of the nonces that an answer shows as missing. What an upstream sends must not decide how long the list gets. */
export const maxMissingNonces = 100
