// Texts of those that refuse a request before an endpoint sees it.

/** 403 at an address behind the CDN. */
export const closedAddress = 'This address is closed. Ask at the public address of the service.'

/** 429 of the firewall. */
export const slowDown = 'Too many requests from your address. Wait a minute.'
