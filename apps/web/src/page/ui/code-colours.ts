/** What the parts of a text are called in the style sheet. */
type Kind = 'comment' | 'string' | 'number' | 'word'

interface Language {
  readonly comment: RegExp
  readonly strings: RegExp
  readonly words: ReadonlySet<string>
}

const set = (words: string) => new Set(words.split(' '))

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/

const braces: Language = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/,
  strings: new RegExp(`\`(?:[^\`\\\\]|\\\\[\\s\\S])*(?:\`|$)|${quoted.source}`),
  words: set(
    'abstract as async await bool break case catch char class const continue def default defer delete do double else enum export extends false final finally float fn for from func function go if impl implements import in int interface is let match mod mut namespace new nil null of override package private protected pub public readonly return satisfies self static string struct super switch this throw trait true try type typeof undefined union unsafe use using var void when while yield',
  ),
}
const hashes: Language = {
  comment: /#[^\n]*/,
  strings: new RegExp(`"""[\\s\\S]*?(?:"""|$)|'''[\\s\\S]*?(?:'''|$)|${quoted.source}`),
  words: set(
    'and as assert async await begin break case class continue def del do done elif else end esac except export false False fi finally for from function global if import in is lambda local module nil None nonlocal not null or pass raise require rescue return self set then true True try unless until when while with yield',
  ),
}
const queries: Language = {
  comment: /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/,
  strings: quoted,
  words: set(
    'add alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full grant group having if in index inner insert into is join key left like limit local not null offset on or order outer primary references replace right rollback select set table then to transaction union unique update using values view when where with',
  ),
}

const languages: Readonly<Record<string, Language>> = Object.fromEntries([
  ...'c cc cjs cpp cs css cts cxx dart go h hpp java javascript js json json5 jsonc jsx kotlin kt less mjs mts php proto rs rust scala scss swift ts tsx typescript zig'
    .split(' ')
    .map((name) => [name, braces] as const),
  ...'bash conf dockerfile elixir ex exs fish ini makefile mk nix perl pl py python r rb ruby sh shell toml yaml yml zsh'
    .split(' ')
    .map((name) => [name, hashes] as const),
  ...'lua hs haskell sql'.split(' ').map((name) => [name, queries] as const),
])

/** What is longer is shown in one colour: colours are a help, and must not cost seconds. */
const longest = 60_000

/** The name of the language of a file, as far as its ending tells. */
export function languageOf(path: string): string {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  return name.includes('.') ? (name.split('.').at(-1) ?? '') : name
}

/** The parts of a text. Put together they are the text again. */
export function codeParts(text: string, name: string): { readonly kind: Kind | undefined; readonly part: string }[] {
  const key = name.toLowerCase()
  const language = Object.hasOwn(languages, key) ? languages[key] : undefined
  if (language === undefined || text.length > longest) return [{ kind: undefined, part: text }]
  const { comment, strings, words } = language
  const pattern = new RegExp(
    `(?<comment>${comment.source})|(?<string>${strings.source})|(?<number>\\b\\d[\\w.]*)|(?<word>[A-Za-z_$][\\w$]*)`,
    'g',
  )
  const parts: { kind: Kind | undefined; part: string }[] = []
  let end = 0
  const add = (kind: Kind | undefined, part: string) => {
    const last = parts.at(-1)
    if (last !== undefined && last.kind === kind) last.part += part
    else if (part !== '') parts.push({ kind, part })
  }
  for (const match of text.matchAll(pattern)) {
    add(undefined, text.slice(end, match.index))
    const [part] = match
    const kind = (['comment', 'string', 'number', 'word'] as const).find((one) => match.groups?.[one] !== undefined)
    const isPlain = kind === 'word' && !words.has(part) && !(language === queries && words.has(part.toLowerCase()))
    add(isPlain ? undefined : kind, part)
    end = match.index + part.length
  }
  add(undefined, text.slice(end))
  return parts
}
