// The docs page: its addresses, and what browsers allow it. Functions, stack and the page's build agree on them. Calls
// are marked as pure, so that a bundle that needs only the links drops the rest.

/** The routes besides the contract's, as the API gateway writes them. */
export const docsRoutes = {
  page: '/docs',
  /** The files that the page loads, whose names change with the contents, and the guides, whose names stay. */
  file: '/docs/{file}',
  /** The OpenAPI document. */
  description: '/openapi.json',
} as const

/** The `link` header, which leads newcomers to the page and to the OpenAPI document. */
export const docsLinks = `<${docsRoutes.page}>; rel="service-doc", <${docsRoutes.description}>; rel="service-desc"`

/** The names of guides, without `.html`, in the order of the menu. */
export const guideNames = ['broadcasting', 'recipes', 'exchanges', 'client'] as const

/** The files that the page loads, by name and digest, and the guides that it leads to. */
export const docsFileForms = [
  { names: ['page', 'snippets'], ending: '.js' },
  { names: ['page'], ending: '.css' },
  { names: /* @__PURE__ */ guideNames.map((name) => `${name}.html`), ending: '' },
] as const

/** The content security policy of the page: everything from its own origin only, nothing inline, and no text as HTML. */
export const docsPolicy = /* @__PURE__ */ [
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
