import type { DeclaredEndpoint as Endpoint } from '../../shared/endpoints/all.ts'
import { openApi } from './openapi.ts'

/** @returns path from the project's root to text: the OpenAPI document */
export const openApiFiles = (endpoints: readonly Endpoint[]): ReadonlyMap<string, string> =>
  new Map([['openapi.json', `${JSON.stringify(openApi(endpoints), null, 2)}\n`]])
