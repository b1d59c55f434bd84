import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { codeOf } from '../../src/index.ts'

/** One thing that happens to a workspace; places are picked by number among those that are there. */
export interface Deed {
  readonly what: 'write' | 'rewrite' | 'remove' | 'rename' | 'chmod' | 'link' | 'folder' | 'swap' | 'sneak'
  readonly place: number
  readonly name: string
  readonly text: string
}

/** Does it, as far as the system lets it. Names are one character for each byte. */
export function perform(root: string, deed: Deed): void {
  try {
    change(root, deed)
  } catch (error) {
    // Such as a file where a folder is wanted: then nothing happens.
    if (codeOf(error) === undefined) throw error
  }
}

function change(root: string, { what, place, name, text }: Deed): void {
  const all = pathsIn(Buffer.from(root).toString('latin1'))
  const folders = all.filter((path) => lstatSync(bytes(path)).isDirectory())
  const others = all.filter((path) => !lstatSync(bytes(path)).isDirectory())
  const top = Buffer.from(root).toString('latin1')
  const fresh = `${pick([top, ...folders], place) ?? top}/${name}`
  const chosen = pick(others, place) ?? fresh
  const content = Buffer.from(text, 'latin1')
  switch (what) {
    case 'write':
      return writeFileSync(bytes(fresh), content)
    case 'rewrite':
      return writeFileSync(bytes(chosen), content)
    case 'remove':
      return rmSync(bytes(pick(all, place) ?? fresh), { recursive: true })
    case 'rename':
      return renameSync(bytes(pick(all, place) ?? fresh), bytes(`${top}/${name}`))
    case 'chmod':
      return chmodSync(bytes(chosen), lstatSync(bytes(chosen)).mode & 0o111 ? 0o644 : 0o755)
    case 'link':
      return symlinkSync(content.length === 0 || content.includes(0) ? Buffer.from('x') : content, bytes(fresh))
    case 'folder':
      return void mkdirSync(bytes(`${fresh}/${name}`), { recursive: true })
    case 'swap':
      rmSync(bytes(chosen))
      mkdirSync(bytes(chosen))
      return writeFileSync(bytes(`${chosen}/${name}`), content)
    case 'sneak': {
      const { size, atime, mtime } = lstatSync(bytes(chosen))
      writeFileSync(bytes(chosen), Buffer.alloc(size, text || 'z'))
      return utimesSync(bytes(chosen), atime, mtime)
    }
    default:
      return what satisfies never
  }
}

function pathsIn(folder: string): string[] {
  const names = readdirSync(bytes(folder), { encoding: 'latin1' }).filter((name) => name !== '.git')
  return names
    .sort()
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => [path, ...(lstatSync(bytes(path)).isDirectory() ? pathsIn(path) : [])])
}

function pick<T>(list: readonly T[], place: number): T | undefined {
  return list[place % Math.max(1, list.length)]
}

function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
