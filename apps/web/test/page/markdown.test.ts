import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, readMarkdown } from '../../src/page/markdown/blocks.ts'
import { type Inline, inlinesOf } from '../../src/page/markdown/inlines.ts'
import { longPayloads, payloads } from '../hostile/payloads.ts'

/** The tree as text: `em(a)`, `ul[a | b]`. */
function outline(text: string): string {
  const { blocks, targets } = readMarkdown(text)
  const line = (words: string) => inlinesOf(words, targets).map(inline).join('')
  const inline = (part: Inline): string => {
    if (typeof part === 'string') return part
    if (part.kind === 'break') return '/'
    if (part.kind === 'code') return `code(${part.text})`
    const inside = part.parts.map(inline).join('')
    return part.kind === 'link' ? `link(${inside} -> ${part.url})` : `${part.kind}(${inside})`
  }
  const all = (some: readonly Block[]) => some.map(block).join(' ')
  const block = (one: Block): string => {
    switch (one.kind) {
      case 'paragraph':
        return line(one.text)
      case 'heading':
        return `h${one.level}(${line(one.text)})`
      case 'code':
        return `pre(${one.language}:${one.text})`
      case 'quote':
        return `quote(${all(one.blocks)})`
      case 'list':
        return `${one.start ?? 'ul'}${one.isLoose ? ' loose' : ''}[${one.items.map(all).join(' | ')}]`
      case 'table':
        return `table[${[one.head, ...one.rows].map((row) => row.map(line).join(' ; ')).join(' | ')}]`
      case 'rule':
        return 'hr'
      default:
        return one satisfies never
    }
  }
  return all(blocks)
}

test.each([
  ['*a* **b** ***c*** __d__ ~~e~~ `f`', 'em(a) strong(b) em(strong(c)) strong(d) del(e) code(f)'],
  ['snake_case_word 2 * 3 * 4 \\*x\\* *a **b** c*', 'snake_case_word 2 * 3 * 4 *x* em(a strong(b) c)'],
  ['`` a`b `` and `open', 'code(a`b) and `open'],
  ['# One\n\nTwo\n---\n## Three ##\n***', 'h1(One) h2(Two) h2(Three) hr'],
  ['a\\\nb  \nc\nd', 'a/b/\nc\nd'],
  ['- a\n- b\n  - c\n\n    d\n- e', 'ul[a | b ul loose[c d] | e]'],
  ['1. a\n\n2. b\n\ntext\n7) c', '1 loose[a | b] text\n7) c'],
  ['**Next**\n1. One\n   ```sh\n   ls\n   ```\n2. Two', 'strong(Next) 1[One pre(sh:ls) | Two]'],
  ['> a\nb\n> - c\n\nd', 'quote(a\nb ul[c]) d'],
  ['~~~ts\nconst a = "`"\n\n  b\n~~~\nafter', 'pre(ts:const a = "`"\n\n  b) after'],
  ['| a | b |\n| --- | :-: |\n| `x\\|y` | **c** |', 'table[a ; b | code(x|y) ; strong(c)]'],
  ['- [ ] to do\n- [x] done', 'ul[[ ] to do | [x] done]'],
  [
    '[a *b*](http://c.d/(e) "t") <https://f.g> https://h.i/j_k. (see https://l.m)',
    'link(a em(b) -> http://c.d/(e)) link(https://f.g -> https://f.g) link(https://h.i/j_k -> https://h.i/j_k). (see link(https://l.m -> https://l.m))',
  ],
  [
    '[a][b], [B], ![i](c.png)\n\n[b]: http://d.e',
    'link(a -> http://d.e), link(B -> http://d.e), link([image: i] -> c.png)',
  ],
  ['<b onclick=x>&lt;i&gt;</b> &#x202e;&#65;', '<b onclick=x><i></b> \\u202eA'],
])('%j', (text, expected) => {
  expect(outline(text)).toBe(expected)
})

const visible = '* ** _ ~~ ` ``` [ ]( ) ![ > - 1. | |---| # \\ < > & --- ==='.split(' ')
const signs = fc.constantFrom(...visible, '> ', '- ', '1. ', '    ', '  ', '\n', '\n\n', '| --- |', ' ')

test('no word is lost, and none comes twice, whatever signs stand around it', () => {
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (some) => {
      const text = some.map((sign, index) => `${sign}word${index}x`).join('')
      const shown = outline(text).match(/word\d+x/g) ?? []
      // What names a language, or stands behind cells that have no heading, is not shown.
      const isWhole = !/[`~]{3}|\|/.test(text)
      expect(new Set(shown).size).toBe(shown.length)
      if (isWhole) expect(shown).toHaveLength(some.length)
    }),
    { numRuns: 2_000 },
  )
})

test('no text is too long or too deep', () => {
  for (const text of [...longPayloads, ...payloads.map((one) => one.repeat(2_000).slice(0, 100_000))])
    expect(() => outline(text)).not.toThrow()
  for (const nested of ['> ', '- ', '1. ', '*a **b ', '[', '![a](', '_*'])
    expect(outline(nested.repeat(5_000)).match(/\(|\[/g)?.length ?? 0).toBeLessThan(100_000)
})
