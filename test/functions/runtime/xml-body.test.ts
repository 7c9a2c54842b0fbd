import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseXml } from '../../../functions/runtime/xml-body.ts'
import { xmlDocument } from '../xml-document.ts'

describe('an XML document', () => {
  test('is an object with the names of its elements, each text as it stands', () => {
    const xml = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
      <!-- signed <offline> -->
      <delegation xmlns="urn:any" id='1>2'>
        <?editor page="1"?>
        <publicKey >B62q<!-- half -->abc</publicKey >
        <signature><field>0012</field><scalar>1e3</scalar></signature>
        <payload>
          <fee> 0x10 </fee>
          <nonce>true</nonce>
          <memo>\r\n  a\tä 😀 </memo>
          <validUntil/>
        </payload>
      </delegation><!-- end -->\n`
    expect(parseXml(xml)).toEqual({
      publicKey: 'B62qabc',
      signature: { field: '0012', scalar: '1e3' },
      payload: { fee: ' 0x10 ', nonce: 'true', memo: '\n  a\tä 😀 ', validUntil: '' },
    })
  })

  test.each([
    ['the five names', '<d><memo>&lt;&gt;&amp;&apos;&quot;</memo></d>', { memo: `<>&'"` }],
    ['numbers', '<d><memo>&#65;&#x1F600;&#10;&#13;</memo></d>', { memo: 'A😀\n\r' }],
    ['a reference once only', '<d><memo>&amp;lt;&#38;amp;</memo></d>', { memo: '&lt;&amp;' }],
    ['CDATA as it is', '<d><memo>a<![CDATA[ <b>&amp; ]] ]]>c</memo></d>', { memo: 'a <b>&amp; ]] c' }],
    ['comments as nothing', '<d><memo> 1<!-- & <x> -->2 </memo></d>', { memo: ' 12 ' }],
    ['any root', '<w:délégation><fee>1</fee></w:délégation>', { fee: '1' }],
    ['an element given twice as a list', '<d><fee>1</fee><memo/><fee>2</fee></d>', { fee: ['1', '2'], memo: '' }],
    ['text alone as text', '<d> t </d>', ' t '],
    ['names of Object.prototype', '<d><toString>1</toString><fee>2</fee></d>', { __toString: '1', fee: '2' }],
  ])('reads %s', (_what, xml, expected) => {
    expect(parseXml(xml)).toEqual(expected)
  })

  test.each(['<d><memo>%</memo></d>', '<d><memo><![CDATA[%]]></memo></d>'])(
    'in %j has a raw carriage return as a line feed, by the rule of XML itself',
    (xml) => {
      const read = (raw: string) => parseXml(xml.replace('%', raw))
      expect(['a\rb', 'a\r\nb', '\r\r', '\n\r'].map(read)).toEqual(
        ['a\nb', 'a\nb', '\n\n', '\n\n'].map((memo) => ({ memo })),
      )
    },
  )

  test.each(['&#13;', '&#x0D;', '&#xd;'])('keeps a carriage return that is written %s', (reference) => {
    expect(parseXml(`<d><memo>a${reference}\nb${reference}</memo></d>`)).toEqual({ memo: 'a\r\nb\r' })
  })

  test('may have eight levels and 200 tags', () => {
    const nested = (levels: number) => `${'<a>'.repeat(levels)}1${'</a>'.repeat(levels)}`
    const withChildren = (count: number) => `<d>${'<a/>'.repeat(count)}</d>`
    expect(parseXml(nested(8))).toEqual(JSON.parse(`${'{"a":'.repeat(7)}"1"${'}'.repeat(7)}`))
    expect(parseXml(withChildren(198))).toEqual({ a: new Array(198).fill('') })
    for (const xml of [nested(9), withChildren(199)]) expect(parseXml(xml)).toBeUndefined()
  })

  test('returns every text that XML can represent unchanged', () => {
    const forbidden = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
    const text = fc.string({ unit: fc.constantFrom(...'\t\n\r &;<>"\'#x0]-!?/äß字😀amplt\u0000\u001F\uFFFE') })
    fc.assert(
      fc.property(text, text, (memo, field) => {
        const value = { signature: { field: field.replace(forbidden, '') }, memo: memo.replace(forbidden, '') }
        expect(parseXml(xmlDocument(value))).toEqual(value)
      }),
      { seed: 4, numRuns: 300 },
    )
  })
})

describe('a document is refused for', () => {
  test.each([
    ['nothing', ''],
    ['JSON', '{"fee":"1"}'],
    ['an element left open', '<d><fee>1</fee>'],
    ['a tag left open', '<d><fee>1</fee></d'],
    ['crossed tags', '<d><a><b>1</a></b></d>'],
    ['a closing tag too many', '<d></d></d>'],
    ['a lone &', '<d><memo>1 & 2</memo></d>'],
    ['a name that starts with a digit', '<d><1>1</1></d>'],
    ['two roots', '<d><fee>1</fee></d><d><fee>1</fee></d>'],
    ['text after the root', '<d></d>a'],
    ['text beside elements', '<d><payload>1<fee>1</fee></payload></d>'],
    ['a document type', '<!DOCTYPE d><d><fee>1</fee></d>'],
    ['a declared entity', '<!DOCTYPE d [<!ENTITY e "1">]><d><fee>&e;</fee></d>'],
    ['an outer entity', '<!DOCTYPE d [<!ENTITY e SYSTEM "http://127.0.0.1/">]><d><fee>&e;</fee></d>'],
    ['a declaration inside', '<d><!ENTITY e "1"><fee>1</fee></d>'],
    ['an undeclared entity', '<d><fee>&e;</fee></d>'],
    ['a reference cut by a comment', '<d><memo>&am<!-- -->p;</memo></d>'],
    ['a reference without digits', '<d><memo>&#;</memo></d>'],
    ['the character 0', '<d><memo>&#0;</memo></d>'],
    ['a number beyond Unicode', '<d><memo>&#x110000;</memo></d>'],
    ['a control character', '<d><memo>\u0000</memo></d>'],
    ['__proto__', '<d><__proto__><fee>1</fee></__proto__></d>'],
    ['constructor', '<d><constructor><prototype><fee>1</fee></prototype></constructor></d>'],
    ['an attribute given twice', '<d a="1" a="2"><fee>1</fee></d>'],
  ])('%s', (_what, xml) => {
    expect(parseXml(xml)).toBeUndefined()
  })
})

describe('a body of 16 KB', () => {
  const size = 16 * 1024
  /** A unit as often as it fits. */
  const filled = (unit: string, before = '', after = '') =>
    before + unit.repeat(Math.floor((size - before.length - after.length) / unit.length)) + after
  const longName = 'a'.repeat(4000)
  const numbered = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i))

  test.each([
    ['2,000 levels', '<a>'.repeat(2000) + '</a>'.repeat(2000)],
    ['siblings under a long name', filled('<b/>', `<${longName}>`, `</${longName}>`)],
    ['siblings with different names', `<d>${numbered(1800, (index) => `<b${index}/>`).join('')}</d>`],
    ['comments left open', filled('<!--')],
    ['a quote left open in an instruction', filled('=', '<?a b="', '?><d/>')],
    ['nested entities', `<!DOCTYPE d [${numbered(300, (index) => `<!ENTITY e${index} "&e;&e;">`).join('')}]><d/>`],
    ['a document type of brackets', filled('[', '<!DOCTYPE d ', '><d/>')],
    ['quotes left open', filled(`a='`, '<d ', '/>')],
    ['blanks in a tag', filled(' ', '<d b', '/>')],
    ['& in an instruction', filled('&', '<?a b="', '"?><d/>')],
    ['a reference of digits', filled('1', '<d>&#', ';</d>')],
  ])('of %s is refused', (_what, xml) => {
    expect(xml.length).toBeLessThanOrEqual(size)
    expect(parseXml(xml)).toBeUndefined()
  })

  test('of attributes, or of references, is read', () => {
    expect(parseXml(`<d ${numbered(1500, (index) => `b${index}=""`).join(' ')}/>`)).toBe('')
    expect(parseXml(filled('&lt;', '<d>', '</d>'))).toBe('<'.repeat(4094))
  })
})
