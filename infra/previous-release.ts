import { CfnCondition, CfnOutput, CfnParameter, Fn, type Stack } from 'aws-cdk-lib'

/**
 * Outputs that name the release before the deployed one, for a rollback. `npm run deploy` reads it from the running stack;
 * without it the outputs are absent.
 */
export function previousRelease(stack: Stack): void {
  for (const [id, what] of [
    ['PreviousVersion', 'Version'],
    ['PreviousCommit', 'Commit'],
  ] as const) {
    const description = `${what} that was deployed before this one`
    // Its id differs from the output's, since a template has each logical id once.
    const parameter = new CfnParameter(stack, `${id}Given`, { description, default: '' })
    const condition = new CfnCondition(stack, `${id}IsGiven`, {
      expression: Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, '')),
    })
    new CfnOutput(stack, id, { description, value: parameter.valueAsString, condition })
  }
}
