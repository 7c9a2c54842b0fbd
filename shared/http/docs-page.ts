// The docs page: its addresses, and what browsers allow it. Functions, stack and the page's own build agree on them.

/** The routes beside the contract's, as the API gateway writes them. */
export const docsRoutes = {
  page: '/docs',
  /** The files that the page loads. The names change with the contents. */
  file: '/docs/{file}',
  /** The OpenAPI document. */
  description: '/openapi.json',
} as const

/** The `link` header of an answer at which a stranger to the service may begin. */
export const docsLinks = `<${docsRoutes.page}>; rel="service-doc", <${docsRoutes.description}>; rel="service-desc"`

/** The page's scripts. A file's name is one of these, then a digest of its content, then the ending. */
export const docsScripts = { names: ['page', 'viewer'], ending: '.js' } as const

/**
 * The content security policy of the page: everything from its own origin only, and no text is run as code. The viewer
 * writes style sheets and style attributes as it renders, which only `unsafe-inline` permits.
 */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
