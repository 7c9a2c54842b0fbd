// Stands in for the package `graphql` in the functions' bundles: graphql-request imports parser, printer and kinds for
// documents that are not text, or whose operation it should name. Ours are text and are not named, so none of it runs,
// and 40 KB stay out of every bundle. A call throws rather than sending something half-read.

function refuse() {
  throw new Error('Only GraphQL documents in text form, with excludeOperationName, can be sent from a bundle.')
}

export const parse = refuse
export const print = refuse
export const Kind = { OPERATION_DEFINITION: 'OperationDefinition' }
