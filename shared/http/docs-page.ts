// The docs page: its addresses, and what browsers allow it. Functions, stack and the page's build agree on them.

/** The routes beside the contract's, as the API gateway writes them. */
export const docsRoutes = {
  page: '/docs',
  /** The files that the page loads or leads to. The names change with the contents. */
  file: '/docs/{file}',
  /** The OpenAPI document. */
  description: '/openapi.json',
} as const

/** The `link` header of an answer at which a stranger to the service may begin. */
export const docsLinks = `<${docsRoutes.page}>; rel="service-doc", <${docsRoutes.description}>; rel="service-desc"`

/** The files that the page loads or leads to. A file's name is one of the names, then a digest of its content, then the ending. */
export const docsFileForms = [
  { names: ['page', 'snippets'], ending: '.js' },
  { names: ['page'], ending: '.css' },
  { names: ['broadcasting', 'recipes', 'exchanges', 'client'], ending: '.html' },
] as const

/** The content security policy of the page: everything from its own origin only, nothing inline, and no text as HTML. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The empty icon.
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')
