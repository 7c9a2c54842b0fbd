import { expect, test } from '@jest/globals'
import { html } from '../../../../functions/docs/page/html.ts'
import { markdownAsHtml } from '../../../../functions/docs/page/markdown.ts'

const markdown = `# A *slanted* title, & more

First line, \`code *as it is* <b>\`,
**bold with \`code\` and [a *link*](x.md#y)**.
## Which hash a node's key_has?
- one
- two, with steps:
  1. first <script> a < *b*
  2. second
- three

<pre onclick="x()">
in &amp; <b
</pre>

| Left | |
|---|---|
| \`a\` \`b(c, { d })\` | b \\| c |

After the table ![A picture](p.png)
\`\`\`ts
# no heading

**no bold** <i>
\`\`\`
### The [\`end\`](#e)`

test('Markdown becomes HTML, and what stands in it as HTML becomes text', () => {
  expect(markdownAsHtml(markdown, (target, text) => html`<a href="to ${target}">${text}</a>`).html).toBe(`\
<h1 id="a-slanted-title--more">A <em>slanted</em> title, &amp; more</h1><p>First line, <code>code *as it is* &lt;b&gt;</code>,
<strong>bold with <code>code</code> and <a href="to x.md#y">a <em>link</em></a></strong>.</p>
<h2 id="which-hash-a-nodes-key_has">Which hash a node&#39;s key_has?</h2><ul>
<li>one</li>
<li>two, with steps:<ol>
<li>first &lt;script&gt; a &lt; <em>b</em></li>
<li>second</li>
</ol>
</li>
<li>three</li>
</ul>
<p>&lt;pre onclick=&quot;x()&quot;&gt;
in &amp; &lt;b
&lt;/pre&gt;</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead>
<tr>
<th scope="col">Left</th><td></td></tr>
</thead>
<tbody><tr>
<td><code>a</code> <code class="call">b(c, { d })</code></td><td>b | c</td></tr>
</tbody></table></div>
<p>After the table <em>A picture</em></p>
<pre tabindex="0" role="group" aria-label="Code"><code># no heading

**no bold** &#60;i&#62;</code></pre><h3 id="the-end">The <a href="to #e"><code>end</code></a></h3>`)
})
