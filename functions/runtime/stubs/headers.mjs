// Stands in for the global `Headers` in the functions' bundles, whose first use would load the built-in fetch. It can do
// what graphql-request asks of it: texts by name, whatever the name's case.

export class Headers extends Map {
  constructor(headers = {}) {
    super()
    for (const [name, text] of Object.entries(headers)) this.set(name, text)
  }
  has(name) {
    return super.has(name.toLowerCase())
  }
  get(name) {
    return super.get(name.toLowerCase()) ?? null
  }
  set(name, text) {
    return super.set(name.toLowerCase(), String(text))
  }
}
