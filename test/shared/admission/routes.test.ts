// The rules of admission follow from the endpoints, and leave none of their parameters out.
import { expect, test } from '@jest/globals'
import { routeRules } from '../../../shared/admission/routes.ts'
import { parametersOf } from '../../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../../shared/endpoints/all.ts'
import { servedMethods } from '../../../shared/http/routes.ts'

const ruleAt = (path: string) => routeRules.filter((rule) => rule.path === path)

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  'the rule of %s has its methods, the parameters of its path and its query keys',
  (name, { method, path, alias }) => {
    const parameters = parametersOf(path)
    const { query } = contracts[name].request ?? {}
    const taken = ruleAt(path).flatMap(({ options = {} }) => Object.keys(options))
    expect(taken).toEqual(Object.keys(query?.options ?? {}))
    expect(ruleAt(path)).toEqual([
      {
        methods: servedMethods(method),
        path,
        alias,
        parameters:
          parameters.length > 0
            ? Object.fromEntries(parameters.map((parameter) => [parameter, expect.anything()]))
            : undefined,
        ...(method === 'GET' && { options: expect.anything() }),
      },
    ])
  },
)

test('every route is admitted once, and its path is normalised', () => {
  const routes = routeRules.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  expect(new Set(routes).size).toBe(routes.length)
  expect(routeRules.filter(({ path }) => /\/\/|.\/$|%/.test(path))).toEqual([])
})
