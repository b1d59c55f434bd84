import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Application, Converter, ReflectionKind } from 'typedoc'

const root = join(import.meta.dirname, '../..')

/** Every exported name of these kinds needs a doc comment. */
const documentedKinds =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.Function |
  ReflectionKind.TypeAlias |
  ReflectionKind.Variable

/** What users can import, as typedoc sees it: one module for each entry of each public package. */
export async function readApi() {
  const entries = publicEntries()
  const app = await Application.bootstrap({
    name: 'Loader',
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(root, 'tsconfig.all.json'),
    basePath: root,
    readme: 'none',
    // `pnpm typecheck` looks at types.
    skipErrorChecking: true,
    excludeExternals: true,
    disableGit: true,
    validation: { notExported: false, invalidLink: true },
    logLevel: 'Warn',
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => shareComments(project))
  const points = app.getEntryPoints() ?? []
  for (const point of points) {
    const entry = entries.find(({ file }) => file === point.sourceFile.fileName)
    if (entry !== undefined) point.displayName = entry.name
  }
  return { app, project: app.converter.convert(points) }
}

/** Exported names without a doc comment, and how many names there are. */
export function undocumented(project) {
  const names = project.children.flatMap((module) =>
    (module.children ?? []).filter(({ kind }) => kind & documentedKinds),
  )
  const missing = names.filter((name) => !name.hasComment() && !name.signatures?.some((one) => one.hasComment()))
  return { names: names.length, missing: [...new Set(missing.map((name) => `${name.parent.name}: ${name.name}`))] }
}

function publicEntries() {
  return globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
    if (manifest.private) return []
    return Object.entries(manifest.exports).flatMap(([subpath, { types, '@loader/source': source }]) =>
      types === undefined
        ? []
        : [{ name: subpath.replace('.', manifest.name), file: join(root, dirname(path), source) }],
    )
  })
}

/** A schema and the type that is inferred from it have one name and one comment. */
function shareComments(project) {
  for (const module of project.children ?? []) {
    const byName = Map.groupBy(module.children ?? [], ({ name }) => name)
    for (const [, alike] of byName) {
      const comment = alike.find((one) => one.hasComment())?.comment
      for (const one of alike) if (comment !== undefined && !one.hasComment()) one.comment = comment.clone()
    }
  }
}
