// All suites that read the stack's template, in one file: to load the CDK and synthesise takes Jest more than a second
// in each file anew. Each suite holds its describes and is found by their names.
import './stack/alarms.suite.ts'
import './stack/distribution.suite.ts'
import './stack/edge.suite.ts'
import './stack/endpoint-function.suite.ts'
import './stack/environment.suite.ts'
import './stack/firewall.suite.ts'
import './stack/http-api.suite.ts'
import './stack/lifecycle.suite.ts'
import './stack/origin-lock.suite.ts'
import './stack/outputs.suite.ts'
import './stack/tags.suite.ts'
import './stack/watching.suite.ts'
