import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { functionsByRoute } from '../route-functions.ts'
import { templateOf } from '../stack-template.ts'
import { onlyResource } from './only-resource.ts'

describe('the origin lock', () => {
  const textOf = (id: string) => ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']
  const stageOf = (originSecretGeneration: number) => {
    const stage = templateOf({ originSecretGeneration })
    const [origin] = onlyResource(stage, 'AWS::CloudFront::Distribution').properties.DistributionConfig.Origins
    const accepted = Object.values(functionsByRoute(stage)).map(
      ({ properties }) => properties.Environment.Variables.ORIGIN_SECRETS['Fn::Join'][1],
    )
    const secrets = Object.keys(stage.findResources('AWS::SecretsManager::Secret'))
    return { secrets, sent: origin.OriginCustomHeaders[0].HeaderValue['Fn::Join'][1], accepted }
  }

  test('begins with one secret', () => {
    const { secrets, sent, accepted } = stageOf(1)
    const [first = ''] = secrets
    expect(secrets).toEqual([first])
    expect(sent).toEqual(textOf(first))
    expect(accepted).toEqual(endpoints.map(() => textOf(first)))
  })

  test('a further generation is sent, the one before is accepted too, and both stay the same when one goes', () => {
    const second = stageOf(2)
    const third = stageOf(3)
    const [newest = '', previous = ''] = third.secrets
    expect(second.secrets[0]).toBe(previous)
    expect(third.sent).toEqual(textOf(newest))
    const [head, ref, tail] = textOf(newest)
    expect(third.accepted).toEqual(
      endpoints.map(() => [head, ref, `${tail},{{resolve:secretsmanager:`, { Ref: previous }, ':SecretString:::}}']),
    )
  })

  test('is changed in the functions before CloudFront sends a new secret', () => {
    const { dependsOn } = onlyResource(templateOf(), 'AWS::CloudFront::Distribution')
    const ids = Object.values(functionsByRoute(templateOf())).map(({ logicalId }) => logicalId)
    expect([...dependsOn].sort()).toEqual(ids.sort())
  })
})
