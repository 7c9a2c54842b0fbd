// AWS as far as `npm run deploy` and the CDK ask it for a stack without assets: CloudFormation, which keeps the rules of a stack's
// status and of its protection, the caller's account, and what the AWS CLI prints.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const account = '123456789012'

interface Template {
  readonly Resources?: Readonly<
    Record<string, { readonly Properties: { readonly ReservedConcurrentExecutions: number } }>
  >
  readonly Outputs?: Readonly<Record<string, { readonly Value: string }>>
}

/** The executions of an account. */
const quota = 1000

interface Stack {
  readonly id: string
  readonly name: string
  status: string
  isProtected: boolean
  /** Of what runs; undefined before the first creation ends well. */
  template: Template | undefined
  /** Of the change set that waits. */
  changed: Template | undefined
  alarms: readonly string[]
}

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** An answer of the Query protocol. */
const resultOf = (action: string, inner: string): string =>
  `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${inner}</${action}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></${action}Response>`

class Refusal extends Error {
  readonly code: string

  constructor(message: string, code = 'ValidationError') {
    super(message)
    this.code = code
  }
}

const stackXml = ({ id, name, status, isProtected, template, alarms }: Stack): string => {
  const members = Object.entries(template?.Outputs ?? {}).map(
    ([key, { Value }]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(Value)}</OutputValue></member>`,
  )
  const triggers = alarms.map((arn) => `<member><Arn>${arn}</Arn><Type>AWS::CloudWatch::Alarm</Type></member>`)
  return `<member><StackName>${name}</StackName><StackId>${id}</StackId><StackStatus>${status}</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime><EnableTerminationProtection>${isProtected}</EnableTerminationProtection><RollbackConfiguration><RollbackTriggers>${triggers.join('')}</RollbackTriggers></RollbackConfiguration>${members.length === 0 ? '' : `<Outputs>${members.join('')}</Outputs>`}</member>`
}

/** The CDK sends a small template as YAML, which names its commit as an output. */
const commitIn = (yaml: string | null): string => /Commit:\s+Value: "?(\w+)/.exec(yaml ?? '')?.[1] ?? ''

/**
 * @param failures how many creations fail, and leave a stack at ROLLBACK_COMPLETE
 * @param templates by the commit that they name
 * @returns its address, and what was done to stacks, in order
 */
export async function startCloudFormation(failures: number, templates: ReadonlyMap<string, Template>) {
  const stacks: Stack[] = []
  const done: string[] = []
  let creations = 0
  const stackOf = (given: string | null): Stack => {
    const found = stacks.findLast(
      ({ id, name, status }) => given === id || (given === name && status !== 'DELETE_COMPLETE'),
    )
    if (found === undefined) throw new Refusal(`Stack with id ${given} does not exist`)
    return found
  }

  const actions: Record<string, (form: URLSearchParams) => string> = {
    GetCallerIdentity: () => `<Account>${account}</Account><Arn>arn:aws:iam::${account}:user/u</Arn><UserId>u</UserId>`,
    DescribeStacks: (form) => `<Stacks>${stackXml(stackOf(form.get('StackName')))}</Stacks>`,
    DescribeStackEvents: () => '<StackEvents></StackEvents>',
    GetTemplate: (form) =>
      `<TemplateBody>${escaped(JSON.stringify(stackOf(form.get('StackName')).template ?? {}))}</TemplateBody>`,
    GetTemplateSummary: () => '<Parameters></Parameters>',
    CreateChangeSet: (form) => {
      const name = form.get('StackName') ?? ''
      if (form.get('ChangeSetType') === 'CREATE') {
        const id = `arn:aws:cloudformation:us-east-1:${account}:stack/${name}/${stacks.length}`
        const fresh = { template: undefined, changed: undefined, alarms: [] }
        stacks.push({ ...fresh, id, name, status: 'REVIEW_IN_PROGRESS', isProtected: false })
      }
      const stack = stackOf(name)
      if (!/^(?:REVIEW_IN_PROGRESS|CREATE_COMPLETE|UPDATE_COMPLETE|UPDATE_ROLLBACK_COMPLETE)$/.test(stack.status)) {
        throw new Refusal(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`)
      }
      stack.changed = templates.get(commitIn(form.get('TemplateBody')))
      stack.alarms = [...form].flatMap(([key, value]) => (/^RollbackConfiguration.*\.Arn$/.test(key) ? [value] : []))
      return `<Id>arn:aws:cloudformation:us-east-1:${account}:changeSet/c/1</Id><StackId>${stack.id}</StackId>`
    },
    DescribeChangeSet: (form) => {
      const { id, name, changed } = stackOf(form.get('StackName'))
      if (changed === undefined) throw new Refusal('ChangeSet [c] does not exist', 'ChangeSetNotFound')
      return `<ChangeSetName>c</ChangeSetName><ChangeSetId>arn:aws:cloudformation:us-east-1:${account}:changeSet/c/1</ChangeSetId><StackId>${id}</StackId><StackName>${name}</StackName><Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime><Changes><member><Type>Resource</Type><ResourceChange><Action>Add</Action><LogicalResourceId>A</LogicalResourceId><ResourceType>AWS::SNS::Topic</ResourceType></ResourceChange></member></Changes>`
    },
    DeleteChangeSet: (form) => {
      stackOf(form.get('StackName')).changed = undefined
      return ''
    },
    ExecuteChangeSet: (form) => {
      const stack = stackOf(form.get('StackName'))
      const isCreation = stack.status === 'REVIEW_IN_PROGRESS'
      creations += isCreation ? 1 : 0
      const fails = isCreation && creations <= failures
      stack.status = fails ? 'ROLLBACK_COMPLETE' : isCreation ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE'
      stack.template = fails ? undefined : stack.changed
      stack.changed = undefined
      done.push(`${isCreation ? 'create' : 'update'}: ${stack.status}, ${stack.alarms.length} alarms`)
      return ''
    },
    UpdateTerminationProtection: (form) => {
      const stack = stackOf(form.get('StackName'))
      stack.isProtected = form.get('EnableTerminationProtection') === 'true'
      done.push(`protection: ${stack.isProtected}`)
      return `<StackId>${stack.id}</StackId>`
    },
    DeleteStack: (form) => {
      const stack = stackOf(form.get('StackName'))
      if (stack.isProtected) {
        done.push('delete: refused')
        throw new Refusal(`Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`)
      }
      stack.status = 'DELETE_COMPLETE'
      done.push('delete: DELETE_COMPLETE')
      return ''
    },
  }

  const reservedNow = () =>
    stacks
      .filter(({ status }) => status !== 'DELETE_COMPLETE')
      .flatMap(({ template }) => Object.values(template?.Resources ?? {}))
      .reduce((sum, { Properties }) => sum + Properties.ReservedConcurrentExecutions, 0)

  /** What the AWS CLI prints, where it succeeds. */
  const printed = ([service, command, ...words]: readonly string[]): unknown => {
    if (service === 'lambda') return quota - reservedNow()
    const stack = stackOf(words[words.indexOf('--stack-name') + 1] ?? '')
    if (command === 'get-template') return stack.template
    if (command === 'update-termination-protection') {
      actions.UpdateTerminationProtection?.(new URLSearchParams({ StackName: stack.name }))
      return { StackId: stack.id }
    }
    const { status, isProtected, template } = stack
    const outputs = Object.entries(template?.Outputs ?? {}).map(([OutputKey, { Value }]) => ({
      OutputKey,
      OutputValue: Value,
    }))
    return { status, isProtected, outputs: template === undefined ? null : outputs }
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/cli') {
      try {
        response.end(JSON.stringify({ stdout: JSON.stringify(printed(JSON.parse(body))) }))
      } catch (error) {
        response.end(JSON.stringify({ stderr: String(error) }))
      }
      return
    }
    const form = new URLSearchParams(body)
    const action = form.get('Action') ?? request.url ?? ''
    response.setHeader('content-type', 'text/xml')
    try {
      const answer = actions[action]
      if (answer === undefined) throw new Refusal(`${action} is not known here`)
      response.end(resultOf(action, answer(form)))
    } catch (error) {
      const { message, code } = error instanceof Refusal ? error : new Refusal(String(error))
      response
        .writeHead(400)
        .end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
        )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    done,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
