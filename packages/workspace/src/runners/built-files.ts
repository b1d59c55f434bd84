import { folderOf, joined } from '../imports/project-files.ts'
import { globPattern } from './glob-pattern.ts'
import type { ProjectTexts } from './runner.ts'

/** Targets that a command makes, with the whole text of the makefile. */
export interface MadeTargets {
  readonly text: string
  readonly folder: string
  readonly targets: readonly string[]
}

/** What a makefile tells of the sources in C that a check is built of. */
export interface BuiltFiles {
  /** All that the check is built of, with the files that these include. */
  readonly sources: ReadonlySet<string>
  /** Only the check is built of them. */
  readonly tests: ReadonlySet<string>
  /** What the project makes without the check is built of them as well. */
  readonly product: ReadonlySet<string>
}

/**
 * Sorts the sources of a check by what else is built of them: the first target of the makefile, or another one that has
 * sources which the check does not have. A target that holds all of the check's sources is the check in another form,
 * and tells nothing. Where no target tells, neither tests nor product are known.
 */
export async function builtFiles(made: MadeTargets, project: ProjectTexts): Promise<BuiltFiles> {
  const makefile = readMakefile(made, project.paths)
  const goals = made.targets.length > 0 ? made.targets : [makefile.first ?? '']
  const check = await withIncluded(
    goals.flatMap((it) => [...makefile.sourcesOf(it).files]),
    project,
  )
  const product = new Set<string>()
  for (const target of makefile.targets) {
    const { files, targets } = makefile.sourcesOf(target)
    if (goals.some((it) => targets.has(it))) continue
    const all = await withIncluded([...files], project)
    const isOther = target === makefile.first || [...all].some((it) => !check.has(it))
    const isWhole = [...check].every((it) => all.has(it))
    if (!isOther || isWhole) continue
    for (const path of all) if (check.has(path)) product.add(path)
  }
  const tests = product.size === 0 ? [] : [...check].filter((it) => !product.has(it))
  return { sources: check, product, tests: new Set(tests) }
}

const source = /\.(?:c|cc|cpp|cxx|m|S|s)$/
const header = /\.(?:h|hh|hpp|hxx|inc)$/

interface Makefile {
  readonly first: string | undefined
  readonly targets: readonly string[]
  sourcesOf(target: string): { readonly files: ReadonlySet<string>; readonly targets: ReadonlySet<string> }
}

interface Rule {
  readonly words: string[]
}

const deepest = 8

function readMakefile({ text, folder }: MadeTargets, paths: readonly string[]): Makefile {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  const values = new Map<string, string>()
  for (const line of lines) {
    const [, name, sign, value = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*([:?+]{0,2})=\s*([^#]*)/.exec(line) ?? []
    if (name === undefined || line.startsWith('\t')) continue
    values.set(name, sign === '+' ? `${values.get(name) ?? ''} ${value}` : value)
  }
  const here = new Set(paths)
  const sources = paths.filter((it) => source.test(it))

  const wordsOf = (part: string, depth = 0): readonly string[] => {
    if (depth > deepest) return []
    const found: string[] = []
    // Of a function of make, all that is given to it counts: it can only select, or change endings and folders.
    const plain = part.replace(
      /\$(?:\(((?:[^()]|\([^()]*\))*)\)|\{([^{}]*)\})/g,
      (_all, one?: string, other?: string) => {
        const inner = one ?? other ?? ''
        const [, called, given = ''] = /^([a-z-]+)\s+(.*)$/s.exec(inner) ?? []
        const value = called === undefined ? values.get(inner.replace(/:.*$/s, '').trim()) : given.replaceAll(',', ' ')
        found.push(...wordsOf(value ?? '', depth + 1))
        return ' '
      },
    )
    return [...found, ...plain.split(/[\s;&|"'()]+/).filter((it) => it !== '')]
  }

  const rules = new Map<string, Rule>()
  let first: string | undefined
  let open: Rule[] = []
  for (const line of lines) {
    if (line.startsWith('\t')) {
      for (const rule of open) rule.words.push(...wordsOf(line))
      continue
    }
    const [, names, needs = ''] = /^([^\s#:=][^:=#]*)::?(?!=)([^#]*)/.exec(line) ?? []
    if (names === undefined || /^\s*[\w.-]+\s*[:?+]{0,2}=/.test(needs)) continue
    open = wordsOf(names).map((name) => {
      const rule = rules.get(name) ?? { words: [] }
      if (!rules.has(name) && !name.startsWith('.') && !name.includes('%')) first ??= name
      rules.set(name, rule)
      rule.words.push(...wordsOf(needs))
      return rule
    })
  }

  /** The sources that a word stands for: itself, those that a pattern matches, and those of an object file. */
  const filesOf = (word: string): readonly string[] => {
    const place = joined(folder, word)
    if (place === undefined) return []
    if (here.has(place)) return source.test(place) || header.test(place) ? [place] : []
    if (word.includes('%')) return []
    if (word.includes('*')) {
      const pattern = globPattern(place)
      return pattern === undefined ? [] : sources.filter((it) => pattern.test(it))
    }
    const object = /^(.*)\.(?:o|obj|lo)$/.exec(place)?.[1]
    return object === undefined ? [] : closestTo(object, sources)
  }

  return {
    first,
    targets: [...rules.keys()].filter((it) => !it.startsWith('.') && !it.includes('%')),
    sourcesOf: (target) => {
      const files = new Set<string>(filesOf(target))
      const targets = new Set<string>([target])
      const pending = [target]
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        for (const word of rules.get(next)?.words ?? []) {
          const name = word.replace(/^\.\//, '')
          for (const file of filesOf(word)) files.add(file)
          if (!rules.has(name) || targets.has(name)) continue
          targets.add(name)
          pending.push(name)
        }
      }
      return { files, targets }
    },
  }
}

/** The sources in C among these files, with the files of the project that they include, directly or indirectly. */
export async function sourcesIn(files: readonly string[], project: ProjectTexts): Promise<ReadonlySet<string>> {
  return await withIncluded(
    files.filter((it) => source.test(it)),
    project,
  )
}

async function withIncluded(files: readonly string[], { paths, text }: ProjectTexts): Promise<ReadonlySet<string>> {
  const found = new Set(files)
  const pending = [...files]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [, name = ''] of ((await text(next)) ?? '').matchAll(
      /^[ \t]*#[ \t]*include[ \t]+["<]([^">\n]+)[">]/gm,
    )) {
      const beside = joined(folderOf(next), name)
      const included = paths.includes(beside ?? '')
        ? [beside ?? '']
        : paths.filter((it) => `/${it}`.endsWith(`/${name}`))
      for (const path of included) {
        if (found.has(path)) continue
        found.add(path)
        pending.push(path)
      }
    }
  }
  return found
}

/** The sources of an object file: of those with its name, the ones whose folders fit best. */
function closestTo(object: string, sources: readonly string[]): readonly string[] {
  const parts = object.split('/').toReversed()
  const fit = (path: string) => {
    const own = path
      .replace(/\.[^.]+$/, '')
      .split('/')
      .toReversed()
    const end = parts.findIndex((part, index) => part !== own[index])
    return end === -1 ? parts.length : end
  }
  const best = Math.max(1, ...sources.map(fit))
  return sources.filter((it) => fit(it) === best)
}
