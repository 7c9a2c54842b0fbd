// Stands in for `node:http` in what the functions' bundles take from npm: @middy/util imports its table of status texts.
// An import of `node:http` loads the built-in fetch along with it, more than half of a cold start; this does not.

export const { STATUS_CODES } = process.getBuiltinModule('node:http')
