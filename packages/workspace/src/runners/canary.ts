import { join } from 'node:path'
import { folderOf } from '../imports/project-files.ts'
import { goCanary, rustCanary } from './canary-native.ts'
import { javascriptCanary } from './canary-javascript.ts'
import { pytestCanary, unittestCanary } from './canary-python.ts'
import { type CanaryRequest, type CanaryText, slashed } from './canary-request.ts'
import type { LoneCanary } from './write-kit.ts'
import type { RunnerReport } from './runner.ts'

/**
 * A test of ours that must fail, in every way in which tests of the runner can fail. A runner that does not report it
 * as failed cannot be trusted to report other failures.
 */
export type Canary =
  | {
      readonly kind: 'canary'
      /** Files to place into a room; their paths are new, except that of a replaced test. */
      readonly files: readonly { readonly path: string; readonly text: string }[]
      /** Makes the command run only this test, as far as its arguments allow. */
      readonly lone: LoneCanary
      /** The names of its tests; each must be red by assertion. */
      readonly ways: readonly string[]
    }
  | { readonly kind: 'none'; readonly why: string }

/** Writes the canary for one run of a runner, beside or in place of a test file of this run. */
export async function canaryOf(request: CanaryRequest): Promise<Canary> {
  const made = await textOf(request)
  if (typeof made === 'string') return { kind: 'none', why: made }
  if (made.path !== request.instead && request.project.paths.includes(made.path))
    return { kind: 'none', why: `${made.path} is there already` }
  return standing(request, [made], false)
}

/**
 * The same at the end of each of these test files. Their own tests run first, and call the modules as a canary alone
 * does not: a product can wait until it is called before it changes what tests do.
 */
export async function canaryAmong(
  request: Omit<CanaryRequest, 'instead' | 'isAmong'>,
  files: readonly string[],
): Promise<Canary> {
  const made: CanaryText[] = []
  for (const [index, instead] of files.entries()) {
    const text = await textOf({ ...request, mark: `${request.mark}_${index}_`, instead, isAmong: true })
    // Elsewhere it would not stand behind their tests.
    if (typeof text !== 'string' && text.path === instead) made.push(text)
  }
  return made.length === 0
    ? { kind: 'none', why: 'no test file that a canary can stand in' }
    : standing(request, made, true)
}

function standing({ report, root, mark }: CanaryRequest, made: readonly CanaryText[], isAmong: boolean): Canary {
  const { runner, folder } = report
  const paths = made.map(({ path }) => join(root, path))
  return {
    kind: 'canary',
    files: made.map(({ path, text }) => ({ path, text })),
    lone: { runner, cwd: join(root, folder), paths, mark, isAmong },
    ways: made.flatMap(({ ways }) => ways),
  }
}

/** Whether the canary has failed as it must: each way red by assertion, in one complete report. */
export function canaryFailed(canary: Canary & { readonly kind: 'canary' }, reports: readonly RunnerReport[]): boolean {
  const own = reports.filter((it) => it.runner === canary.lone.runner)
  return own.some(
    ({ results, doubts }) =>
      doubts.length === 0 &&
      canary.ways.every((way) => {
        const told = results.filter((it) => it.name.includes(way))
        return told.length > 0 && told.every((it) => it.outcome === 'assertion')
      }),
  )
}

async function textOf(request: CanaryRequest): Promise<CanaryText | string> {
  const { report, modules, mark } = request
  switch (report.runner) {
    case 'node:test':
    case 'vitest':
    case 'jest':
    case 'mocha':
      return javascriptCanary(report.runner, request)
    case 'pytest':
      return pytestCanary(request)
    case 'unittest':
      return unittestCanary(request)
    case 'cargo test':
      return rustCanary(request)
    case 'go test':
      return goCanary(request)
    case 'tsc': {
      const module = modules.find((it) => /\.[cm]?tsx?$/.test(it) && !it.endsWith('.d.ts'))
      if (module === undefined)
        return 'no changed file is TypeScript, so there is no place that the compiler looks at for certain'
      const text = `export const ${mark}: string = 1\nexport function ${mark}Two(): number {\n  return '${mark}'\n}\n`
      return { path: `${slashed(folderOf(module))}${mark}.ts`, text, mark, ways: [`${mark}.ts › TS2322`] }
    }
    case 'eslint':
      return eslintCanary(request)
    default:
      return report.runner satisfies never
  }
}

/** Uses a syntax error, which is always reported; which rules are enabled is not known here. */
function eslintCanary({ modules, mark }: CanaryRequest): CanaryText | string {
  const module = modules.find((it) => /\.[cm]?[jt]sx?$/.test(it))
  if (module === undefined) return 'no changed file is one that ESLint looks at'
  const ending = module.slice(module.lastIndexOf('.'))
  const path = `${slashed(folderOf(module))}${mark}${ending}`
  return { path, text: `const ${mark} = = 1\n`, mark, ways: [`${mark}${ending} › syntax`] }
}
