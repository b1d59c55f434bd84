import { readdirSync, rmdirSync, mkdirSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import type { RestoredFile, RestorePlan, RestoreStep } from '@loader/session-core/coding'
import { isTemporaryName } from '../files/temporary.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { folderOf } from '../walk/ignore-rules.ts'
import { treeEntries, entryChanges, readBlobs } from './ask-side.ts'
import { holdParent } from './held-parent.ts'
import { nowAt, pathNow } from './path-now.ts'
import { planRestore, type PlannedStep } from './plan-restore.ts'
import { putBack, sweepLeftovers, takeAway } from './put-back.ts'
import { type RawPath, shownRawPath } from './raw-path.ts'
import { readRest } from './rest.ts'
import type { SideRepository } from './side-repository.ts'

export interface RestoreRequest {
  readonly side: SideRepository
  readonly root: string
  readonly largestFile: number
  readonly plan: Pick<RestorePlan, 'from' | 'to'>
  /** Only these paths, and what lies in them. */
  readonly paths?: readonly string[] | undefined
}

export async function planSteps({ side, root, largestFile, plan, paths }: RestoreRequest): Promise<PlannedStep[]> {
  const { from, to } = plan
  const changes = await entryChanges(side, from.id, to.id)
  const planned = planRestore({
    changes: changes.filter(({ path }) => isChosen(path, paths)),
    target: new Set((await treeEntries(side, to.id)).keys()),
    restFrom: await readRest(side, from.rest),
    restTo: await readRest(side, to.rest),
    now: (path) => pathNow(root, path, largestFile),
    namesIn: (folder) => namesIn(root, folder),
  })
  return planned.filter(({ path, step }) => isChosen(path, paths) || step.action === 'remove_folder')
}

/** Carries out the steps of a plan that are still possible as planned. */
export async function restoreTree(request: RestoreRequest, steps: readonly RestoreStep[]): Promise<RestoredFile[]> {
  const now = new Map((await planSteps(request)).map((planned) => [keyOf(planned.step), planned]))
  const chosen = steps.map((step) => ({ step, planned: now.get(keyOf(step)) }))
  const blobs = await readBlobs(
    request.side,
    chosen.flatMap(({ planned }) => planned?.entry?.blob ?? []),
  )
  const restored = chosen.map(({ step, planned }): RestoredFile => {
    const { path } = step
    if (step.action === 'keep') return { path, outcome: 'kept', reason: step.reason }
    const reason =
      planned === undefined ? 'It was changed since the plan was made.' : whyNotDone(request, planned, blobs)
    return reason === undefined ? { path, outcome: 'restored' } : { path, outcome: 'kept', reason }
  })
  flush(
    request.root,
    chosen.flatMap(({ planned }) => (planned === undefined ? [] : folderOf(planned.path))),
  )
  return restored
}

/**
 * Makes the names in these folders durable, and removes temporary files. A folder that is gone was removed as planned.
 */
function flush(root: string, folders: readonly RawPath[]): void {
  for (const folder of new Set(folders)) {
    using parent = holdParent(root, folder === '' ? '.' : `${folder}/.`, 'leave')
    if (parent === undefined) continue
    sweepLeftovers(parent)
    parent.sync()
  }
}

function whyNotDone(
  request: RestoreRequest,
  planned: PlannedStep,
  blobs: ReadonlyMap<string, Buffer>,
): string | undefined {
  try {
    return perform(request, planned, blobs)
  } catch (error) {
    if (LoaderError.is(error)) return error.message
    if (codeOf(error) === undefined) throw error
    return `It cannot be changed: ${meaningOf(error)}.`
  }
}

function perform(
  { root, largestFile }: RestoreRequest,
  { path, step, entry }: PlannedStep,
  blobs: ReadonlyMap<string, Buffer>,
): string | undefined {
  const { action } = step
  using parent = holdParent(root, path, action === 'write' || action === 'make_folder' ? 'make' : 'leave')
  if (parent === undefined) return 'The folder that it lies in was changed since.'
  switch (action) {
    case 'make_folder':
      mkdirSync(parent.at)
      return undefined
    case 'remove_folder': {
      using inside = holdParent(root, `${path}/.`, 'leave')
      if (inside !== undefined) sweepLeftovers(inside)
      rmdirSync(parent.at)
      return undefined
    }
    case 'remove':
    case 'write': {
      const now = nowAt(parent.at, largestFile)
      if (now.kind !== 'entry' && now.kind !== 'absent') return 'Something else is there now.'
      const content = entry && blobs.get(entry.blob)
      if (action === 'remove') takeAway(parent, now)
      else if (entry === undefined || content === undefined)
        return 'What it held before is damaged, so it was left as it is.'
      else putBack(parent, entry, content, now)
      return undefined
    }
    case 'keep':
      return step.reason
    default:
      return action satisfies never
  }
}

function namesIn(root: string, folder: RawPath): readonly RawPath[] | undefined {
  try {
    using parent = holdParent(root, `${folder}/.`, 'leave')
    // Temporary files of living or killed writers do not count.
    return parent && readdirSync(parent.at, { encoding: 'latin1' }).filter((name) => !isTemporaryName(name))
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

function isChosen(path: RawPath, paths: readonly string[] | undefined): boolean {
  const shown = shownRawPath(path)
  return paths === undefined || paths.some((chosen) => shown === chosen || shown.startsWith(`${chosen}/`))
}

function keyOf({ action, path }: RestoreStep): string {
  return `${action}\0${path}`
}
