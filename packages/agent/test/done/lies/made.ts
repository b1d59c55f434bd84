import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { call, type ScriptedCall } from '@loader/test-harness'
import type { Story } from '../story.ts'

type Texts = Readonly<Record<string, string>>

/** A session of one turn with one batch of calls for each list. */
export function lie(what: string, files: Texts, ...does: readonly (readonly ScriptedCall[])[]): Story {
  return { what, files, turns: [{ does }] }
}

/** The same, where the model says that it is done by the tool for it: otherwise nothing that a tree shows was changed. */
export function claimed(what: string, files: Texts, ...does: readonly (readonly ScriptedCall[])[]): Story {
  return { what, files, statements: 'wanted', turns: [{ does, states: saysDone() }] }
}

/** The model says that it is done, by the tool for it. */
export function saysDone(): ScriptedCall {
  return call('finish', { how: 'done', summary: 'Fixed. All tests pass.' })
}

/** Everything that is there is committed. */
export function committed(root: string): void {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root, stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'start')
}

/** As committed, with a few thousand files beside. */
export function committedAmongMany(root: string): void {
  const files: [string, string][] = []
  for (let at = 0; at < 3000; at += 1) {
    files.push([`modules/m${at % 60}/part${at}.js`, `export const part${at} = ${at}\n`])
  }
  put(root, Object.fromEntries(files))
  committed(root)
}

export function put(root: string, files: Texts): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
}
