import type { ToolContext, ToolResult } from '@loader/session-core/coding'
import { type BackgroundCommands, commandFolder } from '@loader/workspace'
import { standingLine, newsOf } from './news.ts'
import { untilSo } from './until.ts'

interface Start {
  readonly root: string
  readonly command: string
  readonly cwd: string
  /** The folder as it was when the call was looked at. */
  readonly examined: string | undefined
}

/** A command with a mistake in it ends at once, and is told of at once. */
const settleMs = 1000
const shownBytes = 8000

/** Starts a command that goes on, and says what has become of it by then. */
export async function startInBackground(
  background: BackgroundCommands,
  { root, command, cwd, examined }: Start,
  { callId, sessionId = '', reach = 'work', signal }: ToolContext,
): Promise<ToolResult> {
  const folder = commandFolder(root, cwd)
  if (typeof folder === 'string') return { outcome: 'failed', text: folder }
  if (folder.path !== examined) {
    return { outcome: 'failed', text: `${cwd} leads somewhere else than when it was looked at. Nothing was run.` }
  }
  newsOf(background, sessionId)
  const started = await background.start({ sessionId, callId, command, cwd: folder.path, reach })
  if (typeof started === 'string') return { outcome: 'failed', text: `It could not be started: ${started}` }
  const { id } = started
  const now = () => background.now(sessionId).find((each) => each.id === id)
  await untilSo(() => now()?.ended !== undefined || (now()?.ports.length ?? 0) > 0, { ms: settleMs, signal })
  const standing = now()
  const { text = '' } = background.output(sessionId, id, 0, shownBytes) ?? {}
  newsOf(background, sessionId)
  const isOver = standing?.ended !== undefined
  const how = isOver
    ? []
    : [`[Use the tool background with id ${id} to read its output, to wait for it, and to stop it.]`]
  return {
    outcome: isOver && standing.ended?.exitCode !== 0 ? 'failed' : 'ok',
    text: [text.trimEnd(), ...(standing === undefined ? [] : [standingLine(standing)]), ...how]
      .filter((part) => part !== '')
      .join('\n'),
    metadata: {
      background: id,
      ...(standing?.ended?.exitCode !== undefined && { exitCode: standing.ended.exitCode }),
      ports: standing?.ports.map(({ port }) => port) ?? [],
    },
  }
}
