// The schemas of the document, each folded, and links to them.
import type { Document, Marks, Schema } from './document.ts'
import { type Html, html, prose } from './html.ts'

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const joined = (parts: readonly Html[], by: string): Html =>
  parts.reduce((all, part) => (all.html === '' ? part : html`${all}${by}${part}`), html``)

/** The type of a value: a link for a schema with a name. */
export function typeOf({ $ref, then, items, type = 'any', enum: values }: Schema): Html {
  if ($ref !== undefined) return html`<a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a>`
  if (type === 'any' && then?.oneOf !== undefined) return joined(then.oneOf.map(typeOf), ' or ')
  if (items !== undefined) return html`array of ${typeOf(items)}`
  if (values !== undefined) return html`${values.join(' | ')}`
  return html`${[type].flat().join(' or ')}`
}

export const marksOf = ({ 'x-contract-addition': added, 'x-contract-departure': departs }: Marks): Html => html`
${added && html`<p class="mark"><b>addition</b> ${prose(added)}</p>`}
${departs && html`<p class="mark"><b>departure</b> ${prose(departs)}</p>`}`

interface Row {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** The properties of an object, and of the objects and lists without a name that they hold. */
const rowsOf = ({ properties = {}, required = [] }: Schema, within = ''): readonly Row[] =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${within}${key}`
    const row = { name, schema, isRequired: required.includes(key) }
    return [row, ...rowsOf(schema, `${name}.`), ...rowsOf(schema.items ?? {}, `${name}[].`)]
  })

const propertyRow = ({ name, schema, isRequired }: Row): Html => html`
<div><dt><code>${name}</code> <span class="type">${typeOf(schema)}${schema['x-unit'] && `, ${schema['x-unit']}`}${!isRequired && ', optional'}</span></dt>
<dd>${schema.description && prose(schema.description)}${marksOf(schema)}</dd></div>`

function schemaDetails(name: string, schema: Schema): Html {
  const rows = rowsOf(schema)
  return html`
<details><summary><code>${name}</code></summary>
<div id="schema-${name}" class="schema">${schema.description && html`<p>${prose(schema.description)}</p>`}${marksOf(schema)}
${rows.length === 0 ? html`<p class="type">${typeOf(schema)}</p>` : html`<dl>${rows.map(propertyRow)}</dl>`}
</div></details>`
}

/** The ids are inside the folded parts: browsers open what is folded around the target of a link, not the target itself. */
export const schemasSection = ({ components: { schemas = {} } = {} }: Document): Html => html`
<section class="notes" aria-labelledby="schemas-title">
<details><summary><h2 id="schemas-title">Schemas</h2> <span class="type">${Object.keys(schemas).length} in all</span></summary>
<div id="schemas" class="schemas">
<p>What the contract does not have is marked <b>addition</b>, a place where real chain data cannot fit the contract <b>departure</b>.</p>
${Object.entries(schemas).map(([name, schema]) => schemaDetails(name, schema))}
</div></details>
</section>`
