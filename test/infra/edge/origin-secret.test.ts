import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { onlyResource, templateOf } from '../stack-template.ts'

describe('the origin lock', () => {
  /** The generations that CloudFront sends and that each function accepts. */
  const stageOf = async (originSecretGeneration: number) => {
    const stage = await templateOf({ originSecretGeneration })
    const generationsIn = (value: { 'Fn::Join': [string, readonly unknown[]] }) => {
      const text = value['Fn::Join'][1].map((part) => Object(part).Ref ?? part).join('')
      expect(text).toMatch(/^(?:\{\{resolve:secretsmanager:\w+:SecretString:::\}\},?)+$/)
      return [...text.matchAll(/Generation(\d)/g)].map(([, generation]) => Number(generation))
    }
    const { properties, dependsOn } = onlyResource(stage, 'AWS::CloudFront::Distribution')
    const functions = Object.entries(stage.findResources('AWS::Lambda::Function'))
    return {
      sent: generationsIn(properties.DistributionConfig.Origins[0].OriginCustomHeaders[0].HeaderValue),
      accepted: functions.map(([, { Properties }]) => generationsIn(Properties.Environment.Variables.ORIGIN_SECRETS)),
      isSentLast: functions.every(([id]) => dependsOn.includes(id)),
    }
  }

  test.each([
    [1, [1, 2]],
    [2, [2, 1, 3]],
    [3, [3, 2, 4]],
  ])('sends generation %i once all functions accept it, its neighbours and no other', async (generation, accepted) => {
    expect(await stageOf(generation)).toEqual({
      sent: [generation],
      accepted: [...endpoints, 'docs'].map(() => accepted),
      isSentLast: true,
    })
  })
})
