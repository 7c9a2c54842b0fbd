// Jest's environment for Node with a plain global object. Jest's own stands behind a proxy, so that each use of Map or
// Promise in a test is a call: a third of the processor time of a simulation. No TypeScript, as Jest's packages have no
// types that Node could import.
import { constants, createContext } from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

/** Of Node itself, so that what Node hands out is an instance of what a test names. */
const ofNode = { Buffer, ArrayBuffer, Uint8Array }

export default class NodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    const { global: proxied, moduleMocker, fakeTimersModern } = this
    const global = createContext(constants.DONT_CONTEXTIFY)
    for (const key of Reflect.ownKeys(proxied)) {
      if (!Object.hasOwn(global, key)) global[key] = proxied[key]
    }
    Object.assign(global, ofNode, { global })
    global.Error.stackTraceLimit = proxied.Error.stackTraceLimit
    this.context = global
    this.global = global
    this.moduleMocker = new moduleMocker.constructor(global)
    this.fakeTimersModern = new fakeTimersModern.constructor({ config: config.projectConfig, global })
  }
}
