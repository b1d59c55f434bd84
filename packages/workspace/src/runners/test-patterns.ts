import type { RunnerName } from './runner.ts'

const script = String.raw`\.[cm]?[jt]sx?$`

/** Which files a runner takes for tests by itself, as its documentation has it. `mixed`: they may hold product as well. */
const patterns: Readonly<Record<RunnerName, { readonly test?: RegExp; readonly mixed?: RegExp }>> = {
  'node:test': { test: new RegExp(`(^|/)([^/]*[._-]test|test|test-[^/]*)${script}|(^|/)test/.*${script}`) },
  vitest: { test: new RegExp(String.raw`\.(test|spec)${script}|(^|/)__mocks__/.*${script}`) },
  // A mock beside the packages takes the place of one of them without being asked.
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

/** Where runners keep what results are compared with, and write it anew on request. */
export function isSnapshotFile(path: string): boolean {
  return /(^|\/)__(?:image_|file_)?snapshots__\/|\.(?:snap|ambr|approved\.[^/]+|snap\.new)$/.test(path)
}

/** A program in one of the languages of the runners. */
export function isProgramFile(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|pyi?|rs|go|vue|svelte|astro|mdx|c|h|cc|cpp|hpp|java|kt|rb|php|swift|zig|ex|exs)$/.test(path)
}

/** What a program that is called like this is tested by, as runners and people name it. */
export function stemOfTest(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  const stem = name.replace(/[._-](?:test|spec|tests|specs)$|^test[._-]|_test$/, '')
  return stem === name ? undefined : stem
}

/** Settings of what starts runners: they decide which program a script is read by, and what it finds. */
export const launcherSettings =
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|\.pnp\.[cm]?js|bunfig\.toml|deno\.jsonc?|sitecustomize\.py|usercustomize\.py|[^/]+\.pth|\.python-version|\.nvmrc|\.node-version|rust-toolchain(\.toml)?)$/
