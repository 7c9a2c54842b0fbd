// The addresses of the indexers of a stage: one, or several without any key.
import { z } from 'zod'
import { addressListFault, maxIndexers } from '../../shared/deployment/settings.ts'
import { descriptions, graphqlUrl, listFrom, rightItems, unwrapped, wholeList } from './kinds.ts'

const address = graphqlUrl("an indexer's", 'https://indexer.example/graphql')
/** A function gets them separated by commas. */
const listed = address.regex(/^[^,]*$/)

const { wants = '', example = null, show = String } = descriptions.get(unwrapped(address) as typeof address) ?? {}

/** A text is shown as a single address is, since a comma may be part of a password. */
function shownAddresses(given: unknown): string {
  if (!Array.isArray(given)) return show(given)
  return given.map((each) => show(URL.canParse(each) ? each : undefined)).join(', ')
}

/** In the order in which they are asked. */
export const indexerList = z
  .preprocess(
    listFrom,
    z.array(listed).superRefine((urls, context) => {
      const reason = addressListFault(urls, 'indexers')
      if (reason !== undefined) context.addIssue({ code: 'custom', params: { reason } })
    }, wholeList),
  )
  .register(descriptions, {
    wants: `${wants}; or a list of at most ${maxIndexers}, each once, in a variable separated by commas, first the one that follows the node's chain`,
    example,
    show: shownAddresses,
    rightPartOf: (given) => rightItems(listed, listFrom(given)),
  })
