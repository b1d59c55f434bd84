import { randomUUID } from 'node:crypto'
import type { Signal } from '@loader/session-core'
import { realRoot, type WallsAround } from '@loader/workspace'
import type { HookEnding } from './hook-output.ts'
import type { ConfiguredHook } from './hook-settings.ts'

/** Where hooks run. */
export interface HookPlace {
  /** The folder that is worked in. */
  readonly root: string
  /** The project, where `root` is a copy of it. */
  readonly project?: string
  readonly walls: Pick<WallsAround, 'run' | 'state'>
}

/** How a hook ended, with the walls that it ran in. */
export interface EndedHook extends HookEnding {
  readonly durationMs: number
  readonly walls?: string
}

const mostOutput = 1024 * 1024
const mostComplaints = 64 * 1024
/** More output than any hook needs: beyond this it is stopped before its time limit. */
const flood = 8 * 1024 * 1024

/**
 * Runs the command of a hook in its own shell. Its standard error goes through a separate pipe and is printed after a mark that
 * the command cannot know; if it is too long, its first part is kept. Processes that the command leaves running are ended without
 * waiting. They may hold the pipe open, so the end of the pipe does not show the end of standard error. Instead, zeros
 * are written after it, as many as the reader takes at most: when the reader is done, it has read everything before them.
 */
const script = `
d=$(mktemp -d) || exit 1
mkfifo "$d/e" || exit 1
{ head -c ${mostComplaints} >"$d/said"; : >"$d/whole"; exec cat >/dev/null; } <"$d/e" &
pump=$!
exec 9>"$d/e"
( exec 2>&9 9>&-; unset LOADER_HOOK_MARK; exec "$(command -v bash || echo /bin/sh)" -c "$LOADER_HOOK" )
code=$?
trap '' PIPE
head -c ${mostComplaints} /dev/zero >&9 2>/dev/null
while [ ! -e "$d/whole" ] && kill -0 "$pump" 2>/dev/null; do sleep 0.01; done
printf '\\n%s\\n' "$LOADER_HOOK_MARK"
tr -d '\\000' <"$d/said"
rm -rf "$d"
exit "$code"
`

export async function runHookCommand(
  { command, reach, timeoutMs }: Pick<ConfiguredHook, 'command' | 'reach' | 'timeoutMs'>,
  input: string,
  { root, project = root, walls }: HookPlace,
  { sessionId, signal }: { readonly sessionId: string; readonly signal: Signal },
): Promise<EndedHook> {
  const nothing = { stdout: '', stderr: '', durationMs: 0 }
  const { state, why: lack = '' } = await walls.state()
  if (state === 'missing' && reach !== 'open') {
    return { ...nothing, how: 'not_started', why: `there are no walls to run it in: ${lack}. Give it the reach open` }
  }
  const mark = randomUUID()
  const variables = {
    CLAUDE_PROJECT_DIR: project,
    LOADER_HOOK: command,
    LOADER_HOOK_MARK: mark,
  }
  const enough = new AbortController()
  const stop = () => enough.abort()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let printed = 0
  try {
    const ended = await walls.run(
      {
        command: script,
        cwd: realRoot(root),
        timeoutMs,
        cap: { headBytes: mostOutput, tailBytes: mostComplaints + 1024 },
        signal: enough.signal,
        input,
        variables,
        onOutput: (chunk) => {
          printed += chunk.length
          if (printed > flood) stop()
        },
      },
      reach,
      sessionId,
    )
    const { ending, durationMs, output, setAside } = ended
    const [stdout = '', ...rest] = output.text().split(`\n${mark}\n`)
    const said = { stdout, stderr: rest.join('').trim(), durationMs, walls: ended.walls.kind }
    const tooMuch = output.cutBytes > 0 ? `it printed ${output.bytes} bytes, which is too much to be read` : undefined
    const aside =
      setAside.length === 0
        ? undefined
        : `what it left at ${setAside.map(({ path }) => path).join(', ')} was set aside: these paths are guarded`
    const why = [tooMuch, aside, ending.how === 'not_started' ? ending.why : undefined]
      .filter((each) => each !== undefined)
      .join('; ')
    return {
      ...said,
      how: ending.how,
      ...(ending.how === 'exited' && { exitCode: ending.exitCode }),
      ...(why !== '' && { why }),
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
