import type { Turn } from '@loader/session-core'
import type { Proposal } from './proposal.ts'

const most = 3

/**
 * Commands of the turn that succeeded and look like checks, latest first. Other programs are not run again, because
 * they may have effects.
 */
export function checksAlreadyRun({ work }: Pick<Turn, 'work'>): readonly Proposal[] {
  const succeeded = work.commands.filter(({ outcome }) => outcome === 'ok').map(({ command }) => command)
  return [...new Set(succeeded.toReversed())]
    .filter(mayBeCheck)
    .slice(0, most)
    .map((command) => ({ command, text: `\`${command}\` succeeds`, source: 'commands', kind: 'test' }))
}

/**
 * Whether a successful command is worth trying as a check. The trial decides what it proves; without results from a
 * test runner, that is only that files are present.
 */
function mayBeCheck(command: string): boolean {
  return runners.test(command) && !/[<>`]|\$\(/.test(command)
}

const runners =
  /(?:^|[\s/;&|])(?:vitest|jest|mocha|ava|tap|pytest|py\.test|unittest|tox|nox|rspec|phpunit|ctest|tsc|mypy|pyright|eslint|ruff|(?:npm|pnpm|yarn|bun) (?:run )?(?:-\S+ )*test\S*|node (?:-\S+ )*--test|(?:cargo|go|deno|bun|swift|dotnet|mix|zig|mvn|gradle) (?:-\S+ )*test|make (?:-\S+ )*(?:test|check)\S*)(?=$|[\s;&|:])/
