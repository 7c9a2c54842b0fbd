import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { onlyResource } from '../only-resource.ts'
import { type StackTemplate, templateOf } from '../stack-template.ts'

const functionsOf = (stage: StackTemplate) => Object.entries(stage.findResources('AWS::Lambda::Function'))

describe('the origin lock', () => {
  const start = '{{resolve:secretsmanager:'
  const end = ':SecretString:::}}'
  const textOf = (...ids: readonly string[]) => [
    start,
    ...ids.flatMap((id, index) => (index === 0 ? [{ Ref: id }] : [`${end},${start}`, { Ref: id }])),
    end,
  ]
  const stageOf = async (originSecretGeneration: number) => {
    const stage = await templateOf({ originSecretGeneration })
    const [origin] = onlyResource(stage, 'AWS::CloudFront::Distribution').properties.DistributionConfig.Origins
    const accepted = functionsOf(stage).map(
      ([, { Properties }]) => Properties.Environment.Variables.ORIGIN_SECRETS['Fn::Join'][1],
    )
    const secrets = Object.keys(stage.findResources('AWS::SecretsManager::Secret'))
    return { secrets, sent: origin.OriginCustomHeaders[0].HeaderValue['Fn::Join'][1], accepted }
  }

  test('starts with the first generation, and accepts the next one before it is sent', async () => {
    const { secrets, sent, accepted } = await stageOf(1)
    const [first = '', second = '', ...others] = secrets
    expect(others).toEqual([])
    expect(sent).toEqual(textOf(first))
    expect(accepted).toEqual([...endpoints, 'docs'].map(() => textOf(first, second)))
  })

  test.each([1, 2, 3])('refuses no request on the step from generation %i to the next and back', async (generation) => {
    const [here, next] = await Promise.all([stageOf(generation), stageOf(generation + 1)])
    const [, sentHere] = here.sent
    const [, sentNext] = next.sent
    expect(sentHere).not.toEqual(sentNext)
    for (const text of [...here.accepted, ...next.accepted])
      expect(text).toEqual(expect.arrayContaining([sentHere, sentNext]))
  })

  test('refuses a generation two steps later', async () => {
    const [first, third] = await Promise.all([stageOf(1), stageOf(3)])
    const [, sent] = first.sent
    for (const text of third.accepted) expect(text).not.toContainEqual(sent)
  })

  test('makes CloudFront send a new secret only after the functions accept it', async () => {
    const stage = await templateOf()
    const { dependsOn } = onlyResource(stage, 'AWS::CloudFront::Distribution')
    const ids = functionsOf(stage).map(([id]) => id)
    expect(dependsOn).toEqual(expect.arrayContaining(ids))
  })
})
