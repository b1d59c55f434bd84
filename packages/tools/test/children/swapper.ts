/**
 * Puts a link in the place of something, and that something back, as fast as it can, until it is killed.
 *
 *   node swapper.ts <path> <what the link leads to>
 */
import { renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'

const [path = '', target = ''] = process.argv.slice(2)
symlinkSync(target, `${path}-link`)
writeSync(1, 'ready\n')
for (;;) {
  move(path, `${path}-real`)
  move(`${path}-link`, path)
  move(path, `${path}-link`)
  move(`${path}-real`, path)
}

/** While nothing is there, somebody may make something; it has to go. */
function move(from: string, to: string): void {
  while (!succeeds(() => renameSync(from, to))) succeeds(() => rmSync(to, { recursive: true, force: true }))
}

function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}
