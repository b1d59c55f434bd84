import type { Turn } from '@loader/session-core'
import type { Proposal } from './proposal.ts'

const most = 3

/**
 * Commands of the turn that ended well and look like checks, the latest first. A program is not run again merely because
 * it was run: it may have effects.
 */
export function checksAlreadyRun({ work }: Pick<Turn, 'work'>): readonly Proposal[] {
  const succeeded = work.commands.filter(({ outcome }) => outcome === 'ok').map(({ command }) => command)
  return [...new Set(succeeded.toReversed())]
    .filter(mayBeCheck)
    .slice(0, most)
    .map((command) => ({ command, text: `\`${command}\` succeeds`, source: 'commands', kind: 'test' }))
}

/**
 * Whether a command that has succeeded is worth being tried as a check. It proves nothing: what a trial of it shows decides,
 * and without a runner's own word that is no more than presence.
 */
function mayBeCheck(command: string): boolean {
  return runners.test(command) && !/[<>`]|\$\(/.test(command)
}

const runners =
  /(?:^|[\s/;&|])(?:vitest|jest|mocha|ava|tap|pytest|py\.test|unittest|tox|nox|rspec|phpunit|ctest|tsc|mypy|pyright|eslint|ruff|(?:npm|pnpm|yarn|bun) (?:run )?(?:-\S+ )*test\S*|node (?:-\S+ )*--test|(?:cargo|go|deno|bun|swift|dotnet|mix|zig|mvn|gradle) (?:-\S+ )*test|make (?:-\S+ )*(?:test|check)\S*)(?=$|[\s;&|:])/
