/// <reference lib="esnext.disposable" preserve="true" />
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'

/** A folder for one test. It is removed when the test disposes of it. */
export interface TemporaryWorkspace extends AsyncDisposable {
  readonly root: string
  path(...parts: readonly string[]): string
  write(path: string, content: string): Promise<void>
  read(path: string): Promise<string>
  /** Every file with its content, by path with forward slashes. Folders in `ignore` are left out. */
  files(options?: { readonly ignore?: readonly string[] }): Promise<Record<string, string>>
  dispose(): Promise<void>
}

/** A new folder for one test, with these files. */
export async function temporaryWorkspace(
  options: { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<TemporaryWorkspace> {
  const root = await mkdtemp(join(tmpdir(), 'loader-workspace-'))
  const workspace: TemporaryWorkspace = {
    root,
    path: (...parts) => join(root, ...parts),
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content)
    },
    read: (path) => readFile(join(root, path), 'utf8'),
    files: ({ ignore = ['.git', '.loader'] } = {}) => filesBelow(root, new Set(ignore)),
    // What still writes in the background can put a file into a folder that is being removed.
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 10 }),
    [Symbol.asyncDispose]: () => workspace.dispose(),
  }
  for (const [path, content] of Object.entries(options.files ?? {})) await workspace.write(path, content)
  return workspace
}

async function filesBelow(root: string, ignore: ReadonlySet<string>): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => ignore.has(part)))
    .sort()
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')])),
  )
}
