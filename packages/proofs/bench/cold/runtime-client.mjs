// Stands in for Lambda's runtime client: node runtime-client.mjs BUNDLE. The real one talks to the Runtime API by native
// code, so this one loads no more of Node than a socket, which would otherwise hide what the bundles load.
const { connect } = process.getBuiltinModule('node:net')

const { handler } = await import(process.argv[2])
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':')
const socket = connect(Number(port), host).setNoDelay(true)

let received = Buffer.alloc(0)
let deliver
socket.on('data', (chunk) => {
  received = Buffer.concat([received, chunk])
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return
  const head = received.toString('latin1', 0, headEnd)
  const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end) return
  const body = received.toString('utf8', headEnd + 4, end)
  received = received.subarray(end)
  deliver({ head, body })
})
socket.on('close', () => process.exit())

/** One exchange with the Runtime API. */
function exchange(method, path, body = '') {
  const head = `${method} /2018-06-01/runtime/${path} HTTP/1.1\r\nhost: runtime\r\ncontent-length: ${Buffer.byteLength(body)}`
  return new Promise((resolve) => {
    deliver = resolve
    socket.write(`${head}\r\n\r\n${body}`)
  })
}

for (;;) {
  const { head, body } = await exchange('GET', 'invocation/next')
  const id = /lambda-runtime-aws-request-id: (\S+)/i.exec(head)?.[1]
  const deadline = Number(/lambda-runtime-deadline-ms: (\d+)/i.exec(head)?.[1])
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => deadline - Date.now() }
  const result = await handler(JSON.parse(body), context)
  await exchange('POST', `invocation/${id}/response`, JSON.stringify(result))
}
