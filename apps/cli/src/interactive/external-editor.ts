import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWithTerminal } from './user-command.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The user's editor, as a command of the shell. */
export function editorOf(environment: Environment): string {
  const usual = process.platform === 'win32' ? 'notepad' : 'vi'
  return environment['VISUAL'] || environment['EDITOR'] || usual
}

/** The text as the user left it in the editor, which has the terminal meanwhile; undefined if the editor failed. */
export async function edited(text: string, environment: Environment): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'loader-draft-'))
  const file = join(folder, 'draft.md')
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const code = await runWithTerminal({ command: `${editorOf(environment)} ${quoted(file)}`, folder, environment })
    return code === 0 ? readFileSync(file, 'utf8') : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function quoted(file: string): string {
  return process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", String.raw`'\''`)}'`
}
