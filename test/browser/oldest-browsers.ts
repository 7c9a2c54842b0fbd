// A browser of today without what the oldest supported ones lack: Safari 16.4, Chrome 111 and Firefox 111, as the README names
// them. A feature is listed if one of the three has it later.
import type { Page } from 'playwright-core'

const missingMembers = `
  for (const [owner, ...names] of [
    [URLSearchParams.prototype, 'size'],
    [URL, 'canParse', 'parse'],
    [AbortSignal, 'any'],
    [Promise, 'withResolvers', 'try'],
    [Object, 'groupBy'],
    [Map, 'groupBy'],
    [Array, 'fromAsync'],
    [Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with'],
    [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'symmetricDifference'],
    [String.prototype, 'isWellFormed', 'toWellFormed'],
    [ArrayBuffer.prototype, 'transfer'],
    [RegExp, 'escape'],
    [Math, 'sumPrecise'],
    [JSON, 'rawJSON', 'isRawJSON'],
    [Iterator.prototype, 'map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'],
    [Headers.prototype, 'getSetCookie'],
    [Element.prototype, 'checkVisibility', 'getHTML', 'setHTMLUnsafe'],
    [HTMLElement.prototype, 'showPopover', 'hidePopover', 'togglePopover'],
    [Node.prototype, 'moveBefore'],
    [Document.prototype, 'startViewTransition', 'caretPositionFromPoint'],
    [globalThis, 'trustedTypes', 'scheduler', 'navigation', 'CSSScopeRule'],
  ]) for (const name of names) delete owner[name]
  // A reviver that is not shown the digits of a number.
  const { parse } = JSON
  JSON.parse = (text, reviver) => parse(text, reviver && function (key, value) { return reviver.call(this, key, value) })`

/** Whole rules: their selectors, or the at-rule that they stand in, mean nothing to an older browser. */
const missingRules =
  /(?:^|(?<=[{}]))[^{}]*(?::has\(|:user-valid|:popover-open|::details-content|@starting-style|@scope|@property|scripting:|prefers-reduced-transparency)[^{}]*\{(?:[^{}]|\{[^{}]*\})*\}/gm

const missingDeclarations =
  /(?<=[{;])\s*[\w-]+:[^;{}]*(?:light-dark\(|color-mix\(|subgrid|oklch\(from|linear\(|round\()[^;{}]*;|(?<=[{;])\s*(?:text-wrap|field-sizing|interpolate-size|content-visibility|scrollbar-(?:width|color|gutter)|anchor-name|zoom|font-size-adjust|animation-timeline):[^;{}]*;/g

/** A style sheet as an older browser reads it. */
export const asOldestReads = (css: string): string => css.replace(missingRules, '').replace(missingDeclarations, '')

/** Makes the pages that are opened next those of an older browser. */
export async function becomeOldest(page: Page): Promise<void> {
  await page.addInitScript(missingMembers)
  await page.route('**/*.css', async (route) => {
    // The browser alone knows the name of the host.
    const url = new URL(route.request().url())
    url.hostname = '127.0.0.1'
    const response = await route.fetch({ url: url.href })
    await route.fulfill({ response, body: asOldestReads(await response.text()) })
  })
}
