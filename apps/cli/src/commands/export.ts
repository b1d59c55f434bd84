import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import { counted, shortBytes } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { type ExportFormat, exportText } from '../export/export-text.ts'
import { Redactor } from '../redact/redactor.ts'
import type { Places } from '../places/places.ts'
import { credentialsOf } from '../run/credentials.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { chooseSession } from '../sessions/chosen-session.ts'

/** Writes a session to a file or to standard output. Secrets are replaced unless the user turned that off. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const redactor = given.has('keep-secrets') ? undefined : await redactorFor(chosen.places, console)
  const { text, exported } = await exportText(chosen, formatOf(given), redactor, console)
  const file = given.value('output')
  if (file === undefined) console.stdout.write(text)
  else written(resolve(chosen.places.folder, file), text)
  printNotes(console, [
    ...(redactor === undefined ? ['Secrets were not replaced: look before you pass this on.'] : replaced(redactor)),
    ...shownFiles(exported.files),
    ...exported.missing.map((name) => `The long text ${name} is missing in the session, and so it is here.`),
    ...(file === undefined ? [] : [`Written to ${file}`]),
  ])
  return 'ok'
}

/** The keys that this user has are replaced as well, whatever they look like. */
async function redactorFor(places: Places, { environment }: Console): Promise<Redactor> {
  const { settings } = loadSettings(places, { environment })
  return new Redactor(randomBytes(32), await credentialsOf(settings, { environment }, places))
}

function replaced({ count }: Redactor): string[] {
  if (count === 0) return []
  return [`${counted(count, 'secret')} replaced by marks such as [secret:aws:1f0c]; --keep-secrets leaves them.`]
}

/** Secrets are looked for in texts alone. */
function shownFiles(files: number): string[] {
  return files === 0
    ? []
    : [`${counted(files, 'image or file', 'images and files')} as they are: look at what they show.`]
}

function formatOf(given: Given): ExportFormat {
  const format = given.value('format')
  return format === 'md' || format === 'html' ? format : 'json'
}

function written(file: string, text: string): void {
  try {
    writeWhole(file, text)
  } catch (error) {
    const size = shortBytes(Buffer.byteLength(text))
    throw new LoaderError('storage_refused', `The export (${size}) cannot be written to ${file}: ${errorText(error)}`, {
      cause: error,
    })
  }
}

/**
 * Writes the whole file or keeps the old one, for instance if the disk is full. A link stays a link; a device or a pipe
 * is written to and never replaced.
 */
function writeWhole(file: string, text: string): void {
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
