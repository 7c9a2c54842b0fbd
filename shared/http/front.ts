// Requests that are answered before they reach an endpoint: by the lock on the functions, and by the firewall.

/** Carries the secret by which a function recognises CloudFront; in lower case, as the API gateway hands headers over. */
export const originHeader = 'x-origin-secret'

/** 403 at an address behind the CDN. */
export const closedAddress = 'This address is closed. Ask at the public address of the service.'

/** 429 of the firewall. */
export const slowDown = 'Too many requests from your address. Wait a minute.'

/** 403 of the firewall, for an address on the operator's list. */
export const blockedAddress = 'Requests from your address are refused.'
