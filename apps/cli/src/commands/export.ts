import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { LoaderError, type SessionRow } from '@loader/session-core'
import { conversationOf, counted, shortBytes, shortCount } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { asHtml } from '../export/as-html.ts'
import { asJson } from '../export/as-json.ts'
import { asMarkdown } from '../export/as-markdown.ts'
import { exportedOf } from '../export/exported.ts'
import { Redactor } from '../redact/redactor.ts'
import { chooseSession } from '../sessions/chosen-session.ts'

/** Writes a session to a file or to standard output. Secrets are replaced unless the user turned that off. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { row, places } = chosen
  const redactor = given.has('keep-secrets') ? undefined : new Redactor(randomBytes(32))
  const exported = await exportedOf(chosen, redactor)
  const title = redactor?.text(row.title) ?? row.title
  const exportedAt = new Date().toISOString()
  const secrets = redactor === undefined ? 'kept' : 'replaced'
  const text = () => {
    switch (given.value('format')) {
      case 'md':
        return asMarkdown(conversationOf(exported.events, exported.blobs), { id: row.id, title, about: about(row) })
      case 'html':
        return asHtml(conversationOf(exported.events, exported.blobs), { id: row.id, title, about: about(row) })
      default:
        return asJson(exported, { id: row.id, title, exportedAt, loader: console.version, secrets })
    }
  }
  const file = given.value('output')
  if (file === undefined) console.stdout.write(text())
  else written(resolve(places.folder, file), text())
  printNotes(console, [
    ...(redactor === undefined ? ['Secrets were not replaced: look before you pass this on.'] : replaced(redactor)),
    ...exported.missing.map((name) => `The long text ${name} is missing in the session, and so it is here.`),
    ...(file === undefined ? [] : [`Written to ${file}`]),
  ])
  return 'ok'
}

function replaced({ count }: Redactor): string[] {
  if (count === 0) return []
  return [`${counted(count, 'secret')} replaced by marks such as [secret:aws:1f0c]; --keep-secrets leaves them.`]
}

function about(row: SessionRow): string[] {
  const { id, createdAt, updatedAt, turns, inputTokens, outputTokens, verdict, project } = row
  return [
    `Session ${id}${project === null ? '' : ` in ${project}`}`,
    `From ${createdAt} to ${updatedAt}`,
    `${counted(turns, 'turn')}, ${shortCount(inputTokens)} tokens in, ${shortCount(outputTokens)} out`,
    ...(verdict === null ? [] : [`Last verdict: ${verdict}`]),
  ]
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
