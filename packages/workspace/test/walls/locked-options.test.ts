import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOnPath } from '@loader/workspace'
import { expect, test } from 'vitest'
import { noWalls } from './here.ts'

const child = fileURLToPath(new URL('../children/guarded-file.ts', import.meta.url))
const unshare = programOnPath('unshare', { PATH: process.env['PATH'] ?? '' }, '/nowhere')

test('walls stand on a disk whose options the kernel has locked', ({ skip }) => {
  if (noWalls !== undefined) skip(noWalls)
  if (process.getuid?.() !== 0 || unshare === undefined) skip('only root can mount such a disk, with unshare')
  const folder = mkdtempSync(join(tmpdir(), 'loader-locked-'))
  const script =
    'mount -t tmpfs -o nosuid,nodev,noexec,noatime none "$1" && exec "$2" --conditions=@loader/source "$3" "$1"'
  try {
    const said = execFileSync('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, process.execPath, child])
    const { ending, output, walls } = JSON.parse(said.toString())
    expect({ ending, walls }).toEqual({ ending: { how: 'exited', exitCode: 0 }, walls: 'bubblewrap' })
    expect(output).toMatch(
      /settings\.json: Read-only file system\n.*Device or resource busy\nmade\nnode_modules\n\{\}$/,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
