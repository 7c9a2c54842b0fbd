// Load that is shed: a read is not put to nodes that all say that they are busy.
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'

/**
 * The port for reads. While the nodes are busy it answers at once that they are, and asks none. Never for a broadcast:
 * a signed command is worth a try.
 *
 * @param areBusy whether the nodes are to be spared now
 * @throws WireError `busy` and unsent in place of a question to a node
 */
export const shedding =
  (query: QueryUpstream, areBusy: () => boolean): QueryUpstream =>
  async (operation, variables, limits) => {
    if (operation.upstream === 'node' && areBusy()) {
      throw new WireError('busy', 'not asked: each node answered busy within the last second', { isUnsent: true })
    }
    return query(operation, variables, limits)
  }
