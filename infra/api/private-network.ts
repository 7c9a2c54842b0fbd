import { Annotations } from 'aws-cdk-lib'
import { type ISecurityGroup, type IVpc, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import type { VpcAttributes } from '../settings/schema.ts'

/** Allows Lambda to connect a function to a VPC. It names no resource, since the network interfaces do not exist yet. */
export const networkInterfaces = (): PolicyStatement =>
  new PolicyStatement({
    actions: [
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ],
    resources: ['*'],
  })

/** An existing VPC that reaches a private node. */
export class PrivateNetwork extends Construct {
  readonly vpc: IVpc
  readonly securityGroups: ISecurityGroup[]

  constructor(scope: Construct, id: string, attributes: VpcAttributes) {
    super(scope, id)
    const { vpcId, subnetIds, availabilityZones, securityGroupIds } = attributes
    this.vpc = Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId,
      availabilityZones: [...availabilityZones],
      privateSubnetIds: [...subnetIds],
    })
    Annotations.of(this.vpc).acknowledgeWarning(
      '@aws-cdk/aws-ec2:noSubnetRouteTableId',
      'Functions need no route table by its id.',
    )
    this.securityGroups = securityGroupIds.map((groupId) =>
      SecurityGroup.fromSecurityGroupId(this, groupId, groupId, { mutable: false }),
    )
  }
}
