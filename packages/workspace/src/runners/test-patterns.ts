import type { RunnerName } from './runner.ts'

const script = String.raw`\.[cm]?[jt]sx?$`

/**
 * The files that a runner takes for tests by default, as documented. `mixed`: such files may also hold product code.
 */
const patterns: Readonly<Record<RunnerName, { readonly test?: RegExp; readonly mixed?: RegExp }>> = {
  'node:test': { test: new RegExp(`(^|/)([^/]*[._-]test|test|test-[^/]*)${script}|(^|/)test/.*${script}`) },
  vitest: { test: new RegExp(String.raw`\.(test|spec)${script}|(^|/)__mocks__/.*${script}`) },
  // A mock beside the packages replaces one of them automatically.
  jest: { test: new RegExp(String.raw`(^|/)__(?:tests|mocks)__/.*${script}|(^|/)([^/]*\.)?(test|spec)${script}`) },
  mocha: { test: new RegExp(String.raw`^test/[^/]*${script}|\.(test|spec)${script}`) },
  pytest: { test: /(^|\/)(test_[^/]*|[^/]*_test)\.py$/ },
  unittest: { test: /(^|\/)test[^/]*\.py$/ },
  'cargo test': { test: /(^|\/)(tests|benches)\/([^/]+|[^/]+\/.*)\.rs$/, mixed: /\.rs$/ },
  'go test': { test: /_test\.go$/ },
  tsc: {},
  eslint: {},
}

/** Whether a runner takes a file for a test by its name alone. */
export function isTestOf(runner: RunnerName, path: string): boolean {
  return patterns[runner].test?.test(path) ?? false
}

/** Whether files of this name can hold tests beside the product. */
export function mayHoldTests(runner: RunnerName, path: string): boolean {
  return patterns[runner].mixed?.test(path) ?? false
}

/** The files that snapshot tests compare with; runners can rewrite them. */
export function isSnapshotFile(path: string): boolean {
  return /(^|\/)__(?:image_|file_)?snapshots__\/|\.(?:snap|ambr|approved\.[^/]+|snap\.new)$/.test(path)
}

/** A program in one of the languages of the runners. */
export function isProgramFile(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|pyi?|rs|go|vue|svelte|astro|mdx|c|h|cc|cpp|hpp|java|kt|rb|php|swift|zig|ex|exs)$/.test(path)
}

/** The name of the program that a test file belongs to, by the naming conventions of runners. */
export function stemOfTest(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  const stem = name.replace(/[._-](?:test|spec|tests|specs)$|^test[._-]|_test$/, '')
  return stem === name ? undefined : stem
}

/** Settings of the launchers of runners: they decide which program interprets a script, and what it finds. */
export const launcherSettings =
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|\.pnp\.[cm]?js|bunfig\.toml|deno\.jsonc?|sitecustomize\.py|usercustomize\.py|[^/]+\.pth|\.python-version|\.nvmrc|\.node-version|rust-toolchain(\.toml)?)$/
