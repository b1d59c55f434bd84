import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A workspace, with places around and in it that no call may touch. */
export interface Stage extends AsyncDisposable {
  readonly root: string
  /** A folder beside the workspace. */
  readonly outside: string
  /** Every file, link and folder that must stay as it is, with what it holds. */
  guarded(): Promise<Readonly<Record<string, string>>>
}

export const secret = 'nobody may see this\n'

const files = {
  'ws/f': 'inside\n',
  'ws/a/f': 'inside\n',
  'ws/a/b/f': 'inside\n',
  'ws/sub/.git': 'gitdir: elsewhere\n',
  'ws/.git/config': '[core]\n',
  'ws/.git/hooks/pre-commit': '#!/bin/sh\n',
  'ws/.loader/settings.json': secret,
  'outside/f': secret,
  'outside/d/f': secret,
  'ws-other/f': secret,
}

export async function stage(): Promise<Stage> {
  const top = await mkdtemp(join(tmpdir(), 'loader-stage-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), content)
  }
  return {
    root: join(top, 'ws'),
    outside: join(top, 'outside'),
    guarded: async () => {
      const places = ['outside', 'ws-other', 'ws/.git', 'ws/.loader', 'ws/sub']
      const found = await Promise.all(places.map((place) => entriesOf(join(top, place))))
      return Object.fromEntries([...found.flat(), ['.', (await readdir(top)).join()]])
    },
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true }),
  }
}

async function entriesOf(folder: string): Promise<(readonly [string, string])[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true })
  return Promise.all(
    entries.sort().map(async (name) => [join(folder, name), await described(join(folder, name))] as const),
  )
}

async function described(path: string): Promise<string> {
  const stats = await lstat(path)
  const mode = stats.mode.toString(8)
  if (stats.isSymbolicLink()) return `${mode} to ${await readlink(path)}`
  return stats.isFile()
    ? `${mode} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`
    : mode
}
