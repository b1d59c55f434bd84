import { type ImportGraph, type ImportGraphOptions, type ProjectFile, importGraph } from '../../src/index.ts'

export type Content = string | Uint8Array

export function sources(files: Readonly<Record<string, Content>>): readonly ProjectFile[] {
  return Object.entries(files).map(([path, content]) => ({ path, read: () => content }))
}

export function graphOf(files: Readonly<Record<string, Content>>, options?: ImportGraphOptions): Promise<ImportGraph> {
  return importGraph(sources(files), options)
}

/** What a graph says of one file: `a.ts`, `a.ts (type)`, `package zod`, `missing ./a`. */
export function told(graph: ImportGraph, path: string): readonly string[] {
  const imports = graph.imports(path).map(({ to, kind }) => {
    const target = to.kind === 'file' ? to.path : `package ${to.name}`
    return kind === 'type' ? `${target} (type)` : target
  })
  const doubts = graph.unresolved.filter((it) => it.path === path)
  return [...new Set([...imports, ...doubts.map(({ why, text }) => [why, text].filter(Boolean).join(' '))])].toSorted()
}
