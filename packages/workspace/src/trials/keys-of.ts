/** A file with keys, such as a manifest: some keys steer checks, the others belong to the product. */
export interface KeyedFile {
  /** The keys that differ between two texts; undefined if one of them cannot be parsed. */
  differing(one: string, other: string): readonly { readonly key: string; readonly steersChecks: boolean }[] | undefined
  /** The first text, with these keys as in the second. */
  mixed(base: string, other: string, keys: readonly string[]): string
}

export function keyedFile(path: string): KeyedFile | undefined {
  switch (path.slice(path.lastIndexOf('/') + 1)) {
    case 'package.json':
      return packageJson
    case 'pyproject.toml':
      return tables(
        /^(project|build-system|dependency-groups|tool\.(poetry|uv|pdm|hatch|setuptools|flit)(?!\.\w+\.scripts))\b/,
      )
    case 'Cargo.toml':
      return tables(/^((workspace\.|target\.[^\]]+\.)?((dev|build)-)?dependencies|features|package|bin|lib)\b/)
    default:
      return undefined
  }
}

/** The documented manifest fields of npm and similar, except scripts. Every other key configures a tool. */
const ofPackages = new Set(
  `name version description keywords homepage bugs license author contributors maintainers funding files exports main
   browser bin man directories repository dependencies devDependencies peerDependencies peerDependenciesMeta
   optionalDependencies bundleDependencies bundledDependencies dependenciesMeta overrides resolutions engines os cpu libc
   private publishConfig workspaces type types typings typesVersions module imports packageManager devEngines sideEffects
   source pnpm`.split(/\s+/),
)

type Json = Readonly<Record<string, unknown>>

const packageJson: KeyedFile = {
  differing(one, other) {
    const [before, now] = [objectOf(one), objectOf(other)]
    if (before === undefined || now === undefined) return undefined
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted()
    return keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]))
      .map((key) => ({ key, steersChecks: !ofPackages.has(key) }))
  },
  mixed(base, other, keys) {
    const [under, over] = [objectOf(base) ?? {}, objectOf(other) ?? {}]
    const rest = Object.entries(under).filter(([key]) => !keys.includes(key))
    const own = Object.entries(over).filter(([key]) => keys.includes(key))
    return `${JSON.stringify(Object.fromEntries([...rest, ...own]), null, 2)}\n`
  },
}

function objectOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Files of `[name]` tables; the pattern names those that belong to the product. */
function tables(product: RegExp): KeyedFile {
  return {
    differing(one, other) {
      const [before, now] = [tablesOf(one), tablesOf(other)]
      if (before === undefined || now === undefined) return undefined
      return [...new Set([...before.keys(), ...now.keys()])]
        .toSorted()
        .filter((key) => before.get(key) !== now.get(key))
        .map((key) => ({ key, steersChecks: !product.test(key) }))
    },
    mixed(base, other, keys) {
      const [under, over] = [tablesOf(base) ?? new Map<string, string>(), tablesOf(other) ?? new Map<string, string>()]
      const rest = [...under].filter(([key]) => !keys.includes(key))
      const own = [...over].filter(([key]) => keys.includes(key))
      return [...rest, ...own].map(([, text]) => text).join('')
    },
  }
}

/** The text of each table with its header. A multi-line string could hide a header, so a file with one has no keys. */
function tablesOf(text: string): ReadonlyMap<string, string> | undefined {
  if (/"""|'''/.test(text)) return undefined
  const found = new Map<string, string>()
  let name = ''
  for (const line of text.split(/(?<=\n)/)) {
    name = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '') ?? name
    const whole = line.endsWith('\n') ? line : `${line}\n`
    found.set(name, (found.get(name) ?? '') + whole)
  }
  return found
}
