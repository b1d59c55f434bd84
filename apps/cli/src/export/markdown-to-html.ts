import { escapeHtml } from './html-text.ts'

/**
 * The Markdown that models write, as HTML: headings, lists, quotes, fenced and inline code, tables, emphasis, links.
 *
 * Everything is escaped before it is marked up, so no text can become an element of the page. Links may only lead to
 * the web, and images are not loaded.
 */
export function markdownToHtml(markdown: string): string {
  return blocks(markdown.replace(/\r\n?/g, '\n').split('\n'))
}

function blocks(lines: readonly string[]): string {
  const html: string[] = []
  let rest = [...lines]
  while (rest.length > 0) {
    const [line = ''] = rest
    if (line.trim() === '') {
      rest = rest.slice(1)
      continue
    }
    const [block, taken] = fence(rest) ?? table(rest) ?? list(rest) ?? quote(rest) ?? single(line) ?? paragraph(rest)
    html.push(block)
    rest = rest.slice(taken)
  }
  return html.join('\n')
}

type Block = readonly [html: string, lines: number]

function fence(lines: readonly string[]): Block | undefined {
  const opened = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/.exec(lines[0] ?? '')
  const [, ticks, language = ''] = opened ?? []
  if (ticks === undefined) return undefined
  const closing = new RegExp(`^ {0,3}${ticks[0]}{${ticks.length},}\\s*$`)
  const end = lines.findIndex((line, index) => index > 0 && closing.test(line))
  const last = end < 0 ? lines.length : end
  const name = language === '' ? '' : ` data-language="${escapeHtml(language)}"`
  return [`<pre${name}><code>${escapeHtml(lines.slice(1, last).join('\n'))}</code></pre>`, last + (end < 0 ? 0 : 1)]
}

function table(lines: readonly string[]): Block | undefined {
  const isRow = (line: string | undefined) => line !== undefined && /^\s*\|.*\|\s*$/.test(line)
  if (!isRow(lines[0]) || !/^\s*\|[\s:|-]+\|\s*$/.test(lines[1] ?? '')) return undefined
  const found = lines.findIndex((line) => !isRow(line))
  const end = found < 0 ? lines.length : found
  const cells = (line: string, tag: string) =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('')
  const body = lines.slice(2, end).map((line) => `<tr>${cells(line, 'td')}</tr>`)
  const head = `<thead><tr>${cells(lines[0] ?? '', 'th')}</tr></thead>`
  return [`<table>${head}<tbody>${body.join('')}</tbody></table>`, end]
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/

function list(lines: readonly string[]): Block | undefined {
  const first = item.exec(lines[0] ?? '')
  if (first === null) return undefined
  const [, margin = '', sign = ''] = first
  const ordered = /\d/.test(sign)
  const items: string[][] = []
  let taken = 0
  for (const line of lines) {
    const match = item.exec(line)
    const depth = /^\s*/.exec(line)?.[0].length ?? 0
    const isNext = match !== null && match[1] === margin && /\d/.test(match[2] ?? '') === ordered
    if (isNext) items.push([match[3] ?? ''])
    else if (line.trim() === '' ? !continues(lines, taken, margin.length) : depth <= margin.length) break
    else items.at(-1)?.push(line.slice(Math.min(depth, margin.length + 2)))
    taken += 1
  }
  const tag = ordered ? 'ol' : 'ul'
  const start = ordered && Number.parseInt(sign, 10) !== 1 ? ` start="${Number.parseInt(sign, 10)}"` : ''
  const inner = items.map((content) => `<li>${itemHtml(content)}</li>`)
  return [`<${tag}${start}>${inner.join('')}</${tag}>`, taken]
}

/** Whether a list continues after an empty line. */
function continues(lines: readonly string[], place: number, margin: number): boolean {
  const next = lines.slice(place + 1).find((line) => line.trim() !== '')
  return next !== undefined && (item.test(next) || (/^\s*/.exec(next)?.[0].length ?? 0) > margin)
}

function itemHtml(content: readonly string[]): string {
  const plain =
    content.length === 1 ||
    content.slice(1).every((line) => line.trim() !== '' && !item.test(line) && !/^\s*```/.test(line))
  return plain ? inline(content.map((line) => line.trim()).join(' ')) : blocks(content)
}

function quote(lines: readonly string[]): Block | undefined {
  if (!/^\s*>/.test(lines[0] ?? '')) return undefined
  const found = lines.findIndex((line) => !/^\s*>/.test(line))
  const end = found < 0 ? lines.length : found
  const inner = lines.slice(0, end).map((line) => line.replace(/^\s*> ?/, ''))
  return [`<blockquote>${blocks(inner)}</blockquote>`, end]
}

/** A heading or a horizontal rule. Headings start below those of the page. */
function single(line: string): Block | undefined {
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return ['<hr>', 1]
  const [, signs, text] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? []
  if (signs === undefined || text === undefined) return undefined
  const level = Math.min(6, signs.length + 2)
  return [`<h${level}>${inline(text)}</h${level}>`, 1]
}

function paragraph(lines: readonly string[]): Block {
  const found = lines.findIndex(
    (line, index) => index > 0 && (line.trim() === '' || /^ {0,3}(?:```|~~~|#{1,6}\s|>)/.test(line) || item.test(line)),
  )
  const end = found < 0 ? lines.length : found
  return [`<p>${lines.slice(0, end).map(inline).join('<br>')}</p>`, end]
}

/** Code and URLs are matched first, because markup inside them does not count. */
const apart =
  /(`+)(.+?)\1(?!`)|!?\[([^\]]*)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)|(https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/g

/** A line of this length is not prose, and searching it for markup would take long. */
const longestLine = 20_000

function inline(text: string): string {
  if (text.length > longestLine) return escapeHtml(text)
  let html = ''
  let end = 0
  for (const match of text.matchAll(apart)) {
    const [whole, , code, label, address, plain] = match
    html += emphasis(text.slice(end, match.index))
    end = match.index + whole.length
    if (code !== undefined) html += `<code>${escapeHtml(code.trim())}</code>`
    else html += link(address ?? plain ?? '', label ?? plain ?? '')
  }
  return html + emphasis(text.slice(end))
}

function link(address: string, label: string): string {
  return `<a href="${escapeHtml(address)}" rel="noreferrer">${escapeHtml(label)}</a>`
}

function emphasis(text: string): string {
  return escapeHtml(text)
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '<del>$1</del>')
}
