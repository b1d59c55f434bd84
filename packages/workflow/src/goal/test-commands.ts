/**
 * Whether a command that has succeeded is worth being tried as a check. It proves nothing: what a trial of it shows decides,
 * and without a runner's own word that is no more than presence.
 */
export function mayBeCheck(command: string): boolean {
  return runners.test(command) && !/[<>`]|\$\(/.test(command)
}

const runners =
  /(?:^|[\s/;&|])(?:vitest|jest|mocha|ava|tap|pytest|py\.test|unittest|tox|nox|rspec|phpunit|ctest|tsc|mypy|pyright|eslint|ruff|(?:npm|pnpm|yarn|bun) (?:run )?(?:-\S+ )*test\S*|node (?:-\S+ )*--test|(?:cargo|go|deno|bun|swift|dotnet|mix|zig|mvn|gradle) (?:-\S+ )*test|make (?:-\S+ )*(?:test|check)\S*)(?=$|[\s;&|:])/
