import { piecesOf } from './tags.ts'

/** What a page says, for a model. */
export interface PageText {
  readonly title: string
  readonly text: string
}

const blocks: ReadonlySet<string> = new Set(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2
  h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
)
/** Without contents, and so without an end. */
const voids: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** Their contents are not shown to people who read the page. */
const unshown: ReadonlySet<string> = new Set([
  'head',
  'template',
  'svg',
  'math',
  'noscript',
  'select',
  'datalist',
  'object',
  'audio',
  'video',
  'canvas',
])

const deepest = 100
const longestLink = 400
/** A longer one is broken, so that what is done to a line takes a bounded time. */
const longestLine = 20_000

/** The text of a page in Markdown. Nothing in it is run, and what the page hides is left out. */
export function markdownOf(html: string, base: URL): PageText {
  const page = new Page(base)
  for (const piece of piecesOf(html)) {
    if (piece.kind === 'text') page.text(piece.text)
    else if (piece.kind === 'open') page.open(piece.name, piece.attributes)
    else page.close(piece.name)
  }
  return page.done()
}

class Page {
  readonly #base: URL
  readonly #lines: string[] = []
  readonly #lists: { readonly isOrdered: boolean; count: number }[] = []
  readonly #links: { readonly href: string; readonly from: number }[] = []
  #line = ''
  /** So that a line that grows is not read from its beginning for each piece. */
  #endsInSpace = true
  #marker = ''
  #quotes = 0
  #pre = 0
  #cells = 0
  /** The element that is left out with all that is in it, and how many of its name are open. */
  #hidden: { readonly name: string; depth: number } | undefined
  #title: string | undefined
  #isTitle = false

  constructor(base: URL) {
    this.#base = base
  }

  text(text: string): void {
    if (this.#isTitle) {
      this.#title = ((this.#title ?? '') + text).slice(0, longestLine)
      return
    }
    if (this.#line.length > longestLine) this.#endLine()
    if (this.#hidden !== undefined) return
    if (this.#pre > 0) {
      const [first = '', ...rest] = text.split('\n')
      this.#line += first
      for (const line of rest) {
        this.#endLine()
        this.#line = line
      }
      return
    }
    const spaced = text.replace(/\s+/g, ' ')
    this.#line += this.#endsInSpace ? spaced.trimStart() : spaced
    if (spaced !== '') this.#endsInSpace = spaced.endsWith(' ')
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'title' && this.#title === undefined) this.#isTitle = true
    if (this.#hidden !== undefined) {
      if (name === this.#hidden.name) this.#hidden.depth += 1
      return
    }
    if (!voids.has(name) && (unshown.has(name) || isHidden(attributes))) {
      this.#hidden = { name, depth: 1 }
      return
    }
    if (blocks.has(name)) this.#openBlock(name)
    else this.#openInline(name, attributes)
  }

  #openBlock(name: string): void {
    if (name === 'td' || name === 'th') {
      if (this.#cells > 0) this.#line += ' | '
      this.#endsInSpace = true
      this.#cells += 1
      return
    }
    this.#endLine()
    const [, level] = /^h([1-6])$/.exec(name) ?? []
    if (level !== undefined) {
      this.#blank()
      this.#marker = `${'#'.repeat(Number(level))} `
    }
    switch (name) {
      case 'ul':
      case 'ol':
      case 'menu':
        if (this.#lists.length === 0) this.#blank()
        if (this.#lists.length < deepest) this.#lists.push({ isOrdered: name === 'ol', count: 0 })
        break
      case 'li': {
        const list = this.#lists.at(-1)
        if (list !== undefined) list.count += 1
        const indent = '  '.repeat(Math.min(10, Math.max(0, this.#lists.length - 1)))
        this.#marker = `${indent}${list?.isOrdered === true ? `${list.count}. ` : '- '}`
        break
      }
      case 'tr':
        this.#cells = 0
        break
      case 'pre':
        this.#blank()
        this.#push('```')
        this.#pre += 1
        break
      case 'blockquote':
        this.#blank()
        this.#quotes = Math.min(deepest, this.#quotes + 1)
        break
      case 'hr':
        this.#push('---')
        break
      case 'p':
      case 'table':
      case 'section':
      case 'article':
        if (this.#marker === '') this.#blank()
        break
      default:
        break
    }
  }

  #openInline(name: string, attributes: ReadonlyMap<string, string>): void {
    switch (name) {
      case 'br':
        this.#endLine()
        break
      case 'code':
      case 'kbd':
      case 'samp':
        this.#mark('`')
        break
      case 'strong':
      case 'b':
        this.#mark('**')
        break
      case 'a':
        if (this.#links.length < deepest) {
          this.#links.push({ href: this.#address(attributes.get('href')), from: this.#line.length })
        }
        break
      case 'img': {
        const said = (attributes.get('alt') ?? '').replace(/\s+/g, ' ').trim()
        if (said !== '') this.#mark(`[image: ${said.slice(0, longestLink)}]`)
        break
      }
      default:
        break
    }
  }

  close(name: string): void {
    if (name === 'title') this.#isTitle = false
    if (this.#hidden !== undefined) {
      if (name !== this.#hidden.name) return
      this.#hidden.depth -= 1
      if (this.#hidden.depth === 0) this.#hidden = undefined
      return
    }
    switch (name) {
      case 'code':
      case 'kbd':
      case 'samp':
        this.#mark('`')
        return
      case 'strong':
      case 'b':
        this.#mark('**')
        return
      case 'a':
        this.#closeLink()
        return
      case 'td':
      case 'th':
        return
      default:
        break
    }
    if (!blocks.has(name)) return
    this.#endLine()
    if (name === 'ul' || name === 'ol' || name === 'menu') this.#lists.pop()
    if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1)
    if (name === 'pre' && this.#pre > 0) {
      this.#pre -= 1
      this.#push('```')
    }
    if (/^(?:h[1-6]|p|pre|table|blockquote)$/.test(name) || (name !== 'li' && this.#lists.length === 0)) this.#blank()
  }

  #closeLink(): void {
    const link = this.#links.pop()
    if (link === undefined || link.href === '' || this.#pre > 0 || link.from >= this.#line.length) return
    const said = this.#line.slice(link.from)
    this.#line = `${this.#line.slice(0, link.from)}[${said.trim()}](${link.href})`
    this.#endsInSpace = false
  }

  #mark(text: string): void {
    if (this.#pre > 0) return
    this.#line += text
    this.#endsInSpace = false
  }

  /** Only addresses that can be fetched are of use. */
  #address(href: string | undefined): string {
    if (href === undefined || href.startsWith('#') || href.length > longestLink) return ''
    const url = URL.parse(href, this.#base.href)
    return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : ''
  }

  #endLine(): void {
    const line = this.#pre > 0 ? this.#line : this.#line.trim()
    this.#line = ''
    this.#endsInSpace = true
    // Places in the line that was.
    this.#links.length = 0
    if (line === '' && this.#pre === 0) return
    this.#push(this.#marker + line)
    this.#marker = ''
  }

  #push(line: string): void {
    this.#lines.push('> '.repeat(Math.min(5, this.#quotes)) + line)
  }

  #blank(): void {
    if (this.#pre === 0 && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }

  done(): PageText {
    this.#endLine()
    const title = (this.#title ?? '').replace(/\s+/g, ' ').trim()
    return { title, text: this.#lines.join('\n').trim() }
  }
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  return /(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i.test(attributes.get('style') ?? '')
}
