/** The paths that a task names, in its order, and the keywords for finding other files. */
export interface TaskWords {
  readonly paths: readonly string[]
  /** Paths that are unmistakable: when one does not exist, it is reported as missing. */
  readonly certain: ReadonlySet<string>
  readonly keywords: readonly string[]
}

const mostText = 20_000
const longestWord = 300
const mostPaths = 40
const mostKeywords = 40

export const textFile =
  /\.(astro|bash|c|cc|cfg|cjs|clj|conf|cpp|cs|css|csv|cts|dart|ex|exs|go|graphql|h|hpp|html?|ini|ipynb|java|jl|js|json|jsonl|jsx|kt|less|lua|md|mdx|mjs|ml|mts|nim|php|pl|proto|ps1|py|rb|rs|rst|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|ya?ml|zig)$|(^|\/)(Dockerfile|Makefile)$/i

/** Names of software that end like files. */
const software = /^(alpine|chart|d3|ember|express|next|node|nuxt|p5|react|socket|three|vue)\.js$/i

/** Words too common to show which file is meant. */
const common = new Set(
  `about above add after again all also and any app are because been before being below between both but can change code
  create does done each edit else file files fix folder for from function has have index into its just lib like main make method more
  must need new not now off only other our out over please project remove rename repo run same should show some src
  such test tests than that the their them then there these they this those through too under update use used using very
  want was were what when where which while who why will with work would write you your`.split(/\s+/),
)

export function wordsOfTask(task: string): TaskWords {
  const words = task
    .slice(0, mostText)
    .split(/[\s`"'<>,;]+/)
    .filter((word) => word.length <= longestWord && !/^[a-z][a-z0-9+.-]*:\/\//i.test(word))
  const paths = [...new Set(words.map(withoutPunctuation).filter(isPathLike))].slice(0, mostPaths)
  const plain = words.filter((word) => !isPathLike(withoutPunctuation(word)))
  return { paths, certain: new Set(paths.filter(isCertain)), keywords: keywordsIn([...plain, ...paths.map(stemOf)]) }
}

/** Strips the punctuation that sentences, lists and compilers put around a path; paired brackets inside it stay. */
function withoutPunctuation(word: string): string {
  const bare = word.replace(/(:\d+){1,2}:?$/, '').replace(/[.:!?*]+$/, '')
  const opened = /^[([{]/.test(bare) && !/[)\]}]./.test(bare) ? bare.slice(1) : bare
  return /[)\]}]$/.test(opened) && !/[([{]/.test(opened) ? withoutPunctuation(opened.slice(0, -1)) : opened
}

function isPathLike(word: string): boolean {
  return /^[\w@.~/()[\]-]+$/.test(word) && /[/.]/.test(word) && /[A-Za-z]/.test(word) && !/^(e\.g|i\.e)$/i.test(word)
}

/** Whether a word is clearly a path: `and/or` has a slash and `console.log` a dot, but neither is one. */
function isCertain(path: string): boolean {
  return path.endsWith('/') || (textFile.test(path) && !software.test(path))
}

/** The file name of a path without its ending. */
function stemOf(path: string): string {
  return (path.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(/\.\w+$/, '')
}

function keywordsIn(words: readonly string[]): string[] {
  const text = words.join(' ').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  const parts = text.toLowerCase().match(/[a-z0-9]{3,40}/g) ?? []
  return [...new Set(parts.filter((word) => !common.has(word)))].slice(0, mostKeywords)
}
