import type { SessionState } from '@loader/session-core'
import type { FileChange, WorkspaceSnapshot } from '@loader/session-core/coding'
import { isCheckFile } from '@loader/workflow'
import type { WorkingSession } from './stage.ts'

type Files = WorkspaceSnapshot['files']

/** The files as a turn found them, to say what has changed since. Kept in the session; here only what was read of it. */
export class Baseline {
  #known: { readonly turnId: string; readonly files: Files } | undefined

  /** What differs from the baseline of the turn, or undefined when the turn has none. */
  async changesTo(snapshot: WorkspaceSnapshot, session: WorkingSession): Promise<FileChange[] | undefined> {
    const { turn, workspace } = session.state
    const baseline = workspace?.baseline
    if (turn === null || baseline?.turnId !== turn.id) return undefined
    if (baseline.fingerprint === snapshot.fingerprint) return []
    if (this.#known?.turnId !== turn.id) {
      this.#known = { turnId: turn.id, files: read(await session.readText(baseline.files)) }
    }
    return differences(this.#known.files, snapshot.files)
  }

  remember(turn: NonNullable<SessionState['turn']>, { files }: WorkspaceSnapshot): void {
    this.#known = { turnId: turn.id, files }
  }
}

/** One line for each file: its hash, and its path; as JSON where it would not be plain in a line. */
export function listing({ files }: WorkspaceSnapshot): string {
  return [...files].map(([path, hash]) => `${hash} ${isPlain(path) ? path : JSON.stringify(path)}`).join('\n')
}

function read(text: string): Files {
  const lines = text === '' ? [] : text.split('\n')
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ')
      const path = line.slice(space + 1)
      return [path.startsWith('"') ? String(JSON.parse(path)) : path, line.slice(0, space)]
    }),
  )
}

function isPlain(path: string): boolean {
  return !/^"|[\n\r]/.test(path)
}

/** More changes than these say no more than that much has changed. */
const mostAdded = 500
const mostOthers = 2_000

/** What differs. Where that is too much to be kept, checks come first: what happened to them must not go unseen. */
function differences(before: Files, now: Files): FileChange[] {
  const added: FileChange[] = []
  const others: FileChange[] = []
  for (const [path, hash] of now) {
    const was = before.get(path)
    if (was === undefined) added.push({ path, change: 'added' })
    else if (was !== hash) others.push(modified(path, was, hash))
  }
  for (const path of before.keys()) if (!now.has(path)) others.push({ path, change: 'deleted' })
  return [...atMost(mostOthers, others), ...atMost(mostAdded, added)]
}

function modified(path: string, was: string, is: string): FileChange {
  const steering = steeringPart(is)
  const isSame = steering !== undefined && steering === steeringPart(was)
  return { path, change: 'modified', ...(isSame && { onlyDependencies: true as const }) }
}

/** What has to stay for the checks of a manifest to be the same: its mode, and the second of its hashes. */
function steeringPart(hash: string): string | undefined {
  const [, mode, steering] = /^(\d{4}):[0-9a-f]{64}:([0-9a-f]{64})$/.exec(hash) ?? []
  return steering && `${mode}:${steering}`
}

function atMost(most: number, changes: readonly FileChange[]): readonly FileChange[] {
  if (changes.length <= most) return changes
  const checks = changes.filter(({ path }) => isCheckFile(path))
  return [...checks, ...changes.filter((change) => !isCheckFile(change.path))].slice(0, most)
}
