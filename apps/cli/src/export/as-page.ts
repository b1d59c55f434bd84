import { LoaderError, type SessionRow } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import { liveTurns } from '@loader/workflow'
import { pageWithData, readPage } from '@loader/web/server'
import { treesOf } from '../diffs/difference.ts'
import { diffOfSession } from '../diffs/diff-of-session.ts'
import type { DiffOutput } from '../schemas/diff.ts'
import type { Console } from '../console/console.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { ChosenSession } from '../sessions/chosen-session.ts'
import { pageFolder } from '../places/page-folder.ts'
import { documentOf, type ExportFacts } from './as-json.ts'
import type { Exported } from './exported.ts'

export interface PageFacts extends ExportFacts {
  readonly chosen: ChosenSession
  readonly redactor: Redactor | undefined
}

/** The page of `loader web` as one file, with this session inside. */
export async function asPage(exported: Exported, facts: PageFacts, console: Console): Promise<string> {
  const { chosen, redactor, title } = facts
  const row = redactor === undefined ? chosen.row : (redactor.value(shareable(chosen.row)) as SessionRow)
  const data = { protocol: 1, kind: 'export', document: documentOf(exported, facts), row } as const
  const diffs = await diffsOf(facts, console)
  return pageWithData(readPage(pageFolder()), { ...data, diffs }, inOneLine(title))
}

/** An excerpt may end in the middle of a secret, where nothing finds it. */
function shareable(row: SessionRow): SessionRow {
  return { ...row, lastExcerpt: '' }
}

/** A patch of this length is no reading, and would make the file slow to open. */
const longestPatch = 512 * 1024

/** What was changed in files, by turn and in all, where the trees are on this machine. */
async function diffsOf({ chosen, redactor }: PageFacts, { environment }: Console): Promise<Record<string, DiffOutput>> {
  const { history, places, row } = chosen
  const wanted = [undefined, ...liveTurns(history).map(({ turnId }) => turnId)]
  const diffs: Record<string, DiffOutput> = {}
  for (const turn of wanted) {
    try {
      const diff = await diffOfSession(row.id, history, turn === undefined ? {} : { turn }, () => {
        return treesOf(places.project(), environment)
      })
      if (diff.patch.length > longestPatch) continue
      diffs[turn === undefined ? 'all' : `turn ${turn}`] = redactor === undefined ? diff : cleaned(diff, redactor)
    } catch (error) {
      // They may be gone, and the session is whole without them.
      if (!LoaderError.is(error)) throw error
    }
  }
  return diffs
}

function cleaned(diff: DiffOutput, redactor: Redactor): DiffOutput {
  return { ...diff, patch: redactor.text(diff.patch) }
}
