import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/**
 * Writes all of a file or none of it; a full disk leaves what was there. A link stays one, and what is no file, such as
 * a device or a pipe, is written to and never replaced.
 */
export function writeWhole(file: string, text: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) replace(realpathSync(file), text)
  else if (lstatSync(file, { throwIfNoEntry: false }) === undefined) replace(file, text)
  else writeFileSync(file, text, { mode: 0o600 })
}

function replace(file: string, text: string): void {
  const next = `${file}.${process.pid}.new`
  try {
    writeFileSync(next, text, { mode: 0o600 })
    renameSync(next, file)
  } finally {
    rmSync(next, { force: true })
  }
}
