// `node:timers` in the functions' bundles. @middy/core imports only this, and an `import` of a built-in module costs a
// hundredth of a cold start.
export const { setTimeout } = globalThis
