// `node:timers` in the functions' bundles. @middy/core imports this of it, and an `import` of a built-in module costs a
// hundredth of a cold start.
export const { setTimeout } = globalThis
