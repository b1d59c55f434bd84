import type { Paint, Style } from '../screen/paint.ts'

/** How the parts of a language look, as far as colours need it. */
interface Family {
  readonly comment: RegExp
  /** What begins something that may go over several lines, with what ends it. */
  readonly blocks: Readonly<Record<string, readonly [end: string, style: Style]>>
  readonly words: ReadonlySet<string>
}

const words = (text: string) => new Set(text.split(' '))

const slashes: Family = {
  comment: /\/\/.*/,
  blocks: { '/*': ['*/', 'dim'], '`': ['`', 'green'] },
  words: words(
    'abstract as async await break case catch class const continue default defer do else enum export extends false final finally fn for from func function go if impl implements import in interface is let match mod mut namespace new nil null of package private protected pub public readonly return satisfies self static struct super switch this throw trait true try type typeof undefined use using var void while yield',
  ),
}
const hashes: Family = {
  comment: /#.*/,
  blocks: { '"""': ['"""', 'green'], "'''": ["'''", 'green'] },
  words: words(
    'and as assert async await begin break case class continue def del do done elif else end esac except export False fi finally for from function global if import in is lambda local module None nonlocal not null or pass raise require return self then True true false try until unless when while with yield',
  ),
}
const dashes: Family = {
  comment: /--.*/,
  blocks: { '/*': ['*/', 'dim'] },
  words: words(
    'ALTER AND AS ASC BEGIN BY CASE COMMIT CREATE DELETE DESC DISTINCT DROP ELSE END FROM GROUP HAVING IN INDEX INSERT INTO IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY KEY REFERENCES ROLLBACK SELECT SET TABLE THEN UNION UNIQUE UPDATE VALUES VIEW WHEN WHERE WITH',
  ),
}

const families: Readonly<Record<string, Family>> = Object.fromEntries([
  ...'c cc cpp cs css dart go h java javascript js json json5 jsonc jsx kotlin kt php proto rs rust scala scss swift ts tsx typescript zig'
    .split(' ')
    .map((name) => [name, slashes] as const),
  ...'bash dockerfile elixir ex fish make makefile nix perl pl py python r rb ruby sh shell toml yaml yml zsh'
    .split(' ')
    .map((name) => [name, hashes] as const),
  ...'lua haskell hs sql'.split(' ').map((name) => [name, dashes] as const),
])

/** Colours code line by line, as it is written. What is no known language has one colour. */
export class CodeColours {
  readonly #family: Family | undefined
  readonly #isDiff: boolean
  readonly #paint: Paint
  /** What ends the comment or text that the line is in. */
  #open: readonly [end: string, style: Style] | undefined

  constructor(language: string, paint: Paint) {
    const name = language.toLowerCase()
    this.#family = Object.hasOwn(families, name) ? families[name] : undefined
    this.#isDiff = name === 'diff' || name === 'patch'
    this.#paint = paint
  }

  line(text: string): string {
    if (this.#isDiff) return this.#diffLine(text)
    return this.#family === undefined ? this.#paint('cyan', text) : this.#coloured(text, this.#family)
  }

  #diffLine(text: string): string {
    if (/^(?:\+\+\+|---) /.test(text)) return this.#paint('bold', text)
    const style = ({ '+': 'green', '-': 'red', '@': 'cyan' } as const)[text.charAt(0)]
    return style === undefined ? text : this.#paint(style, text)
  }

  #coloured(text: string, family: Family): string {
    let rest = text
    let done = ''
    while (rest !== '') {
      const [part, style] = this.#next(rest, family)
      done += style === undefined ? part : this.#paint(style, part)
      rest = rest.slice(part.length)
    }
    return done
  }

  /** The next part of a line, which is never empty, and its style. */
  #next(rest: string, { comment, blocks, words: known }: Family): readonly [string, Style | undefined] {
    if (this.#open !== undefined) return this.#inside(rest, 0, this.#open)
    const begin = Object.keys(blocks).find((one) => rest.startsWith(one))
    if (begin !== undefined) return this.#inside(rest, begin.length, blocks[begin] ?? [begin, 'green'])
    const [remark] = new RegExp(`^(?:${comment.source})`).exec(rest) ?? []
    if (remark !== undefined) return [remark, 'dim']
    const [quoted] = /^"(?:[^"\\]|\\.)*"|^'(?:[^'\\]|\\.)*'/.exec(rest) ?? []
    if (quoted !== undefined) return [quoted, 'green']
    const [number] = /^\d[\w.]*/.exec(rest) ?? []
    if (number !== undefined) return [number, 'cyan']
    const [word] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(rest) ?? []
    if (word !== undefined) return [word, known.has(word) ? 'magenta' : undefined]
    return [/^\s+|^./su.exec(rest)?.[0] ?? rest, undefined]
  }

  #inside(rest: string, from: number, open: readonly [end: string, style: Style]): readonly [string, Style] {
    const [end, style] = open
    const at = rest.indexOf(end, from)
    this.#open = at < 0 ? open : undefined
    return [at < 0 ? rest : rest.slice(0, at + end.length), style]
  }
}
