import { expect, test } from 'vitest'
import { markdownToHtml } from '../src/export/markdown-to-html.ts'

test.each([
  [
    'Hello *there*, **you** and ~~nobody~~.',
    '<p>Hello <em>there</em>, <strong>you</strong> and <del>nobody</del>.</p>',
  ],
  ['# One\n## Two', '<h3>One</h3>\n<h4>Two</h4>'],
  ['a `b <c> **d**` e', '<p>a <code>b &lt;c&gt; **d**</code> e</p>'],
  ['``a ` b``', '<p><code>a ` b</code></p>'],
  [
    '```ts\nconst a = "<b>"\n```\nafter',
    '<pre data-language="ts"><code>const a = &quot;&lt;b&gt;&quot;</code></pre>\n<p>after</p>',
  ],
  ['```\nnever closed', '<pre><code>never closed</code></pre>'],
  ['- one\n- two\n  - deep\n- three', '<ul><li>one</li><li><p>two</p>\n<ul><li>deep</li></ul></li><li>three</li></ul>'],
  ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
  ['> said\n> again', '<blockquote><p>said<br>again</p></blockquote>'],
  [
    '| a | b |\n|---|---|\n| 1 | `2` |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table>',
  ],
  ['one\n\n---\n\ntwo', '<p>one</p>\n<hr>\n<p>two</p>'],
  ['[a](https://x.example/?a=1&b=2)', '<p><a href="https://x.example/?a=1&amp;b=2" rel="noreferrer">a</a></p>'],
  [
    'see https://x.example/a_b*c.',
    '<p>see <a href="https://x.example/a_b*c" rel="noreferrer">https://x.example/a_b*c</a>.</p>',
  ],
  ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['<b onclick="x">hi</b>', '<p>&lt;b onclick=&quot;x&quot;&gt;hi&lt;/b&gt;</p>'],
  ['2 * 3 * 4 and snake_case_name', '<p>2 * 3 * 4 and snake_case_name</p>'],
  ['', ''],
])('%j', (markdown, html) => {
  expect(markdownToHtml(markdown)).toBe(html)
})

test('any text ends, and opens nothing that it does not close', () => {
  const marks = ['`', '*', '_', '[', ']', '(', ')', '#', '>', '-', '1.', '|', '\n', ' ', 'a', '<', '"', 'https://a.b']
  let seed = 1
  for (let round = 0; round < 2000; round += 1) {
    let text = ''
    for (let length = 0; length < 30; length += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      text += marks[seed % marks.length]
    }
    const html = markdownToHtml(text)
    const open: string[] = []
    for (const [, slash, name] of html.matchAll(/<(\/?)([a-z0-9]+)(?: [^<>]*)?>/g)) {
      if (name === 'br' || name === 'hr') continue
      if (slash === '') open.push(name ?? '')
      else expect({ text, closed: open.pop() }).toEqual({ text, closed: name })
    }
    expect({ text, open }).toEqual({ text, open: [] })
  }
})
