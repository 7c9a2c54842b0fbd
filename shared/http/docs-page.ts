// The docs page: its addresses, and what browsers allow it. Functions, stack and the page's build agree on them.

/** The routes beside the contract's, as the API gateway writes them. */
export const docsRoutes = {
  page: '/docs',
  /** The files that the page loads, whose names change with the contents, and the guides, whose names stay. */
  file: '/docs/{file}',
  /** The OpenAPI document. */
  description: '/openapi.json',
} as const

/** The `link` header of an answer at which a stranger to the service may begin. */
export const docsLinks = `<${docsRoutes.page}>; rel="service-doc", <${docsRoutes.description}>; rel="service-desc"`

/** The names of guides, without `.html`, in the order of the menu. */
export const guideNames = ['broadcasting', 'recipes', 'exchanges', 'client'] as const

/**
 * The files that the page loads or leads to. With an ending, a file's name is one of the names, then a digest of its content,
 * then the ending; without one, it is one of the names.
 */
export const docsFileForms = [
  { names: ['page', 'snippets'], ending: '.js' },
  { names: ['page'], ending: '.css' },
  { names: guideNames.map((name) => `${name}.html`), ending: '' },
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
