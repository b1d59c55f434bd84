/** Without a folder, only a well-known extension makes a word a file name: `scripts.test` is none. */
const endings = new Set(
  (
    'astro bash bat c cc cfg cjs conf cpp cs css csv cts dart dockerfile ejs erb ex exs fish go gradle graphql h hbs ' +
    'hpp hs htm html ini ipynb java jl js json json5 jsonc jsonl jsx kt kts less lock log lua m md mdx mjs ml mts nix ' +
    'php pl png po prisma properties proto ps1 py pyi r rb rs rst rules sass scala scss sh sql svelte svg swift tcl tex ' +
    'tf toml ts tsv tsx txt vue wasm xml yaml yml zig zsh'
  ).split(' '),
)
const withoutEnding = /^(?:Makefile|Dockerfile|Procfile|Gemfile|Rakefile|LICENSE|README|CHANGELOG|CODEOWNERS|VERSION)$/
/** Product names that look like file names. */
const products =
  /^(?:node|vue|next|nuxt|react|express|d3|three|socket|deno|asp|ember|backbone|moment|chart|alpine)\.js$/i

const longestPath = 300

/** The paths that a text names, in order and each once: in code spans, and as words that are clearly paths. */
export function pathsIn(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const words = text.replace(/`[^`\n]*`/g, ' ').split(/[\s,;"'“”‘’()[\]|]+/)
  const inSpans = spans
    .filter(isShort)
    .map(tidied)
    .filter((name) => isPath(name) && (name.includes('/') || isFileName(name)))
  const bare = words
    .filter(isShort)
    .map(tidied)
    .filter((name) => isPath(name) && !products.test(name) && isFileName(name))
  return [...new Set([...inSpans, ...bare])].toSorted((one, other) => text.indexOf(one) - text.indexOf(other))
}

function isShort({ length }: string): boolean {
  return length <= longestPath
}

function tidied(word: string): string {
  return word
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\.\/+/, '')
    .replace(/^[*_]+(?=[\w.])/, (marks) => (marks.startsWith('*') ? '' : marks))
    .replace(/[*.,:;!?]+$/, '')
}

function isPath(name: string): boolean {
  return /^(?:\/|\.{1,2}\/|~\/)?[\w@.+-][\w@.+/[\]()-]*$/.test(name) && !name.includes('//') && !/^\.+$/.test(name)
}

function isFileName(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  if (name === '') return path.includes('/')
  if (withoutEnding.test(name)) return true
  // `.env` is a file, `.ts` only an extension.
  if (/^\.[a-z][\w.-]*$/i.test(name)) return !endings.has(name.slice(1).toLowerCase())
  const ending = /[\w\])-]\.([A-Za-z][A-Za-z0-9]*)$/.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && (endings.has(ending) || path.includes('/'))
}
