import type { MarkerFiles } from './marker-files.ts'
import type { ObservedFacts } from './project-facts.ts'

const makefiles = ['GNUmakefile', 'makefile', 'Makefile']
const targets = { test: ['test', 'tests'], lint: ['lint'], build: ['build'], typecheck: ['typecheck', 'type-check'] }

/** Facts from the targets of a Makefile that have conventional names, such as `test`. */
export async function makeFacts(files: MarkerFiles): Promise<ObservedFacts | undefined> {
  const name = makefiles.find(files.has)
  if (name === undefined) return undefined
  const declared = targetsIn((await files.text(name)) ?? '')
  const commands = Object.entries(targets).flatMap(([kind, names]) => {
    const target = names.find((each) => declared.has(each))
    return target === undefined ? [] : [[kind, `make ${target}`] as const]
  })
  return { kind: 'make', packageManager: 'make', commands: Object.fromEntries(commands) }
}

/** `a b: c` declares a and b; `a := c` declares none. */
function targetsIn(text: string): ReadonlySet<string> {
  const heads = text.matchAll(/^([A-Za-z][\w .-]*?)\s*::?(?![=:])/gm)
  return new Set([...heads].flatMap(([, names = '']) => names.split(/\s+/)))
}
