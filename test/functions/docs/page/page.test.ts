import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Document, Operation } from '../../../../functions/docs/page/document.ts'
import { pageText } from '../../../../functions/docs/page/page.ts'

const addresses = {
  script: '/script.js',
  snippets: '/snippets.js',
  guides: [],
  style: '/style.css',
  description: '/openapi.json',
}

const committed: Document = {
  ...JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')),
  servers: [{ url: '/' }],
}

const answering = (operationId: string, value: unknown): Operation => ({
  operationId,
  tags: ['blocks'],
  summary: `Summary of ${operationId}`,
  description: 'Reads `a < b` & 10^-9.',
  responses: { 200: { description: 'Fine', content: { 'application/json': { schema: {}, example: value } } } },
})

const withPaths = (paths: Document['paths']): Document => ({ ...committed, paths })

/** All matches of an expression's group in the page of some paths. */
const found = (paths: Document['paths'], expression: RegExp) =>
  Array.from(pageText(withPaths(paths), addresses).matchAll(expression), ([, text]) => text)

const needs = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id',
  schema: { type: 'string' },
  example: 'old',
} as const

describe('the docs page', () => {
  test('shows an endpoint that only the document knows, reads without parameters first, the shortest before the others', () => {
    const paths = {
      '/write': { post: answering('write', {}) },
      '/long': { get: answering('readLong', 'a long text') },
      '/of/{id}': { get: { ...answering('readOne', 1), parameters: [needs] } },
      '/short': { get: answering('readShort', '') },
    }
    expect(found(paths, /<section class="request" id="(\w+)"/g)).toEqual(['readShort', 'readLong', 'readOne', 'write'])
  })

  test('groups its menu by what a request is about, broadcasts last, and has the requests in the order of the menu', () => {
    const broken = pageText(committed, addresses).match(/<nav.*?<\/nav>/s)?.[0] ?? ''
    expect(broken).toContain('<code>/accounts/<wbr>{public_key}/<wbr>tokens</code>')
    const menu = broken.replaceAll('<wbr>', '')
    const lines = Array.from(
      menu.matchAll(/class="group">(\w+)|<code>([^<]+)</g),
      ([, group, path]) => group ?? path ?? '',
    )
    expect(lines.filter((line) => !line.startsWith('/'))).toEqual([
      ...['Blocks', 'Accounts', 'Transactions', 'Chain', 'Broadcasting', 'Guides', 'More'],
    ])
    expect(found(committed.paths, /<section class="request" id="(\w+)"/g)).toEqual(
      Array.from(menu.matchAll(/href="#(get\w+|broadcast\w+)"/g), ([, id]) => id),
    )
    const groupOf = (path: string) => lines.slice(0, lines.indexOf(path)).findLast((line) => !line.startsWith('/'))
    expect(
      ['/blocks', '/accounts/{public_key}/tokens', '/pool', '/health', '/broadcast/delegation'].map(groupOf),
    ).toEqual([...['Blocks', 'Accounts', 'Transactions', 'Chain', 'Broadcasting']])
    expect(lines.filter((line) => line.startsWith('/')).toSorted()).toEqual(
      Object.entries(committed.paths)
        .flatMap(([path, operations]) => Object.keys(operations).map(() => path))
        .toSorted(),
    )
  })

  test('fills in a parameter from the answer whose link names it, or from the longest such answer', () => {
    const link = { operationId: 'readOne', parameters: { id: '$response.body#/list/0/id' } }
    const limit = {
      name: 'limit',
      in: 'query',
      required: false,
      description: '',
      schema: { maximum: 10, default: 1 },
    } as const
    const after = { ...limit, name: 'after', schema: { maximum: 99 } }
    const list = answering('readList', [])
    const paths = {
      '/of/{id}': { get: { ...answering('readOne', 1), parameters: [needs] } },
      '/list': {
        get: {
          ...list,
          parameters: [limit, after],
          responses: { 200: { description: 'The list', links: { readOne: link } } },
        },
      },
    }
    expect(found(paths, /<input (name=[^>]*)>/g)).toEqual([
      'name="limit" data-in="query" value="1" autocomplete="off" spellcheck="false"',
      'name="after" data-in="query" value="" autocomplete="off" spellcheck="false"',
      'name="id" data-in="path" value="old" data-from="/list" data-longer="/list?limit=10" data-pointers="/list/0/id"' +
        ' required autocomplete="off" spellcheck="false"',
    ])
    expect(found(paths, /<code>curl -sS &#39;https:\/\/&#60;host&#62;([^&]*)&#39;/g)).toEqual([
      '/list?limit=1',
      '/of/old',
    ])
  })

  test('shows every text of the document as text', () => {
    const paths = { '/x': { get: answering('read', '</code><script>alert(1)</script>') } }
    expect(found(paths, /<p>(Reads [^\n]*)<\/p>/g)).toEqual(['Reads <code>a &#60; b</code> &#38; 10<sup>-9</sup>.'])
    expect(found(paths, /<(script[^>]*)>/g)).toEqual(['script type="module" src="/script.js"'])
  })

  test('offers to send a broadcast only where its examples are of the chain that is served', () => {
    const isSent = (document: Document) => pageText(document, addresses).includes('</span></button></div>\n</form>')
    const onlyPosts = Object.fromEntries(Object.entries(committed.paths).filter(([, { post }]) => post))
    const document = withPaths(onlyPosts)
    expect([isSent(document), isSent({ ...document, 'x-live-examples': true })]).toEqual([false, true])
  })

  test('folds every schema of the document away, and marks everything that differs from the contract', () => {
    const page = pageText(committed, addresses)
    const names = Object.keys(committed.components?.schemas ?? {})
    expect(Array.from(page.matchAll(/<details><summary><code>(\w+)</g), ([, name]) => name)).toEqual(names)
    const referred = Array.from(page.matchAll(/href="#schema-(\w+)"/g), ([, name = '']) => name)
    expect(referred.filter((name) => !names.includes(name))).toEqual([])
    const described = JSON.stringify(committed)
    for (const mark of ['addition', 'departure']) {
      const marked = described.split(`"x-contract-${mark}"`).length
      expect(page.split(`<b>${mark}</b> `)).toHaveLength(marked)
    }
  })
})
