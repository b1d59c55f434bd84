import type { SessionState } from '@loader/session-core'
import type { Goal, ProjectFacts } from '@loader/session-core/coding'
import { changesOf, pathsBefore } from './changed-files.ts'
import type { CheckKind } from './check-reading.ts'
import { kindOfScript } from './known-runners.ts'
import type { Proposal } from './proposal.ts'

/** What each kind is asked for, the most telling first. A small task is held to the first that there is. */
const kinds = ['test', 'typecheck', 'build', 'lint'] as const satisfies CheckKind[]

const texts: Readonly<Record<(typeof kinds)[number], string>> = {
  test: 'the tests of the project pass',
  typecheck: 'the project passes its type check',
  build: 'the project builds',
  lint: 'the project passes its linter',
}

/** Commands that do not end, or that change what they look at. */
const notForChecking = /(?:^|[^a-z])(?:watch|dev|start|serve|fix|write|update|format|fmt|debug|ui)(?:[^a-z]|$)/i

/** The checks that a project declares, or that any project of its kind has. */
export function checksOfProject(state: SessionState, size: NonNullable<Goal['size']>): readonly Proposal[] {
  const facts = state.workspace?.facts ?? null
  if (facts === null) return []
  const declared = kinds.flatMap((kind) => {
    const command = commandFor(facts, kind) ?? usual(state, facts, kind, size)
    return command === undefined ? [] : [{ command, text: texts[kind], source: 'project' as const }]
  })
  return size === 'small' ? declared.slice(0, 1) : declared
}

function commandFor({ commands = {} }: ProjectFacts, kind: CheckKind): string | undefined {
  const named = Object.entries(commands).filter(([name, command]) => {
    return command.trim() !== '' && kindOfScript(name) === kind && !notForChecking.test(name)
  })
  const [best] = named.toSorted(([first], [second]) => Number(second === kind) - Number(first === kind))
  return best?.[1]
}

/** What every project of that kind understands, where it has named nothing itself. */
function usual(
  state: SessionState,
  { kind: project, packageManager }: ProjectFacts,
  kind: CheckKind,
  size: Goal['size'],
): string | undefined {
  switch (project) {
    case 'python':
      if (kind !== 'test' || !hasPythonTests(state)) return undefined
      return packageManager === 'uv' || packageManager === 'poetry'
        ? `${packageManager} run pytest -q`
        : 'python3 -m pytest -q'
    case 'rust':
      return kind === 'test' ? 'cargo test' : kind === 'typecheck' && size === 'large' ? 'cargo check' : undefined
    case 'go':
      return kind === 'test' ? 'go test ./...' : kind === 'build' && size === 'large' ? 'go build ./...' : undefined
    default:
      return undefined
  }
}

function hasPythonTests(state: SessionState): boolean {
  const report = changesOf(state)
  const now = report.known === 'all' ? report.changes.map(({ path }) => path) : []
  return [...(pathsBefore(state) ?? []), ...now].some((path) => /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$/.test(path))
}
