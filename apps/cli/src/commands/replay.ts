import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { replaySession } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import type { Backend } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import type { ReplayOutput } from '../schemas/replay.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { chooseSession } from '../sessions/chosen-session.ts'

/** Replays a recording, and reports the first divergence. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const tools = given.value('tools') === 'rerun' ? 'rerun' : 'stub'
  const copy = workspaceOf(given, console, tools)
  const { places, store, row, recording, state } = await chooseSession(given, console)
  // Calls that run again get the same kind of walls as in the recording.
  const walls = { use: state.policy?.walls?.state === 'held' ? 'required' : 'off' } as const
  const agent = localOptions({ backend: nobody, projectRoot: copy ?? places.root, store, walls })
  const { kind, divergence, replayed } = await replaySession(recording, { tools, agent })
  const session = { id: row.id, title: row.title, seq: state.seq }
  const output: ReplayOutput = { session, kind, replayed, divergence: divergence === null ? null : { ...divergence } }
  if (given.has('json')) printJson(console, output)
  else printLines(console, replayLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return divergence === null ? 'ok' : 'unverified'
}

/** A replay never asks a model: the recording holds the answers. */
const nobody: Backend = {
  id: 'recording',
  stream() {
    throw new TypeError('A replay asks no model.')
  },
}

/** Calls that run again change files, so the user's own workspace is used only if it is named explicitly. */
function workspaceOf(given: Given, { folder }: Console, tools: 'stub' | 'rerun'): string | undefined {
  const wanted = given.value('workspace')
  const command = given.command.name
  if (tools === 'stub') {
    if (wanted === undefined) return undefined
    throw new UsageError('--workspace goes with --tools rerun.', command)
  }
  if (wanted === undefined) {
    throw new UsageError(
      '--tools rerun runs the calls again: give it a copy of the project as it was at the beginning, with --workspace.',
      command,
    )
  }
  const place = resolve(folder, wanted)
  if (existsSync(place)) return place
  throw new UsageError(`There is no folder ${place}.`, command)
}

function replayLines(
  { session, kind, replayed, divergence }: ReplayOutput,
  { width, paint }: { width: number; paint: Paint },
): string[] {
  if (kind === 'folded') {
    const why = 'another version of Loader decided in it. Its events fold; its decisions were not made again.'
    return wrap(`${session.id}: ${replayed} events, and ${why}`, width)
  }
  const about = `${session.id}: ${replayed} of ${session.seq} events`
  if (divergence === null) return [`${about}, ${paint('green', 'the same all along')}.`]
  const { class: difference, seq, path, expected, actual } = divergence
  return [
    `${about}, then ${paint('yellow', 'another way')}.`,
    `At seq ${seq}, ${inOneLine(path)} (${difference}):`,
    ...wrap(`  recorded: ${inOneLine(JSON.stringify(expected))}`, width),
    ...wrap(`  now:      ${inOneLine(JSON.stringify(actual))}`, width),
  ]
}
