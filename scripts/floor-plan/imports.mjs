import { globSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'

/**
 * Every import between the files of one package, types and dynamic imports included: `from` and `to` are paths with
 * forward slashes, relative to the root. Fails when a file was not read: without a TypeScript that it can use,
 * dependency-cruiser reads none, and finds nothing wrong.
 */
export async function importsIn(root) {
  const sources = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const folders = globSync('{packages,apps}/*/src', { cwd: root })
  const { output } = await cruise(folders, {
    baseDir: root,
    includeOnly: '^(packages|apps)/[^/]+/src/',
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: { extensions: ['.ts', '.tsx'] },
  })
  const read = new Set(output.modules.map(({ source }) => source))
  const unread = sources.filter((source) => !read.has(source))
  if (sources.length === 0) throw new Error(`There are no sources in ${root}.`)
  if (unread.length > 0) {
    throw new Error(`${unread.length} of ${sources.length} source files were not read, such as ${unread[0]}.`)
  }
  const imports = output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
  return { files: sources.length, imports: imports.filter(({ from, to }) => packageOf(from) === packageOf(to)) }
}

function packageOf(path) {
  return path.split('/', 2).join('/')
}
