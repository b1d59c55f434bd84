import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** Everything in a folder by path in bytes: content, executable bit, target of links, empty folders. Repositories are left out. */
export function pictureOf(root: string): ReadonlyMap<string, string> {
  const picture = new Map<string, string>()
  const look = (folder: string) => {
    const names = readdirSync(Buffer.from(folder, 'latin1'), { encoding: 'latin1' })
    if (names.length === 0) picture.set(folder, 'empty')
    for (const name of names.filter((each) => each !== '.git')) {
      const path = `${folder}/${name}`
      const at = Buffer.from(path, 'latin1')
      const stats = lstatSync(at)
      if (stats.isDirectory()) look(path)
      else if (stats.isSymbolicLink()) picture.set(path, `link ${readlinkSync(at, { encoding: 'latin1' })}`)
      else picture.set(path, `${stats.mode & 0o111 ? 'program' : 'file'} ${readFileSync(at).toString('latin1')}`)
    }
  }
  look(Buffer.from(root).toString('latin1'))
  return new Map([...picture].sort(([one], [other]) => (one < other ? -1 : 1)))
}
