import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { replaySession } from '@loader/agent'
import { type LocalAgentOptions, localOptions } from '@loader/agent/local'
import type { Backend, SessionState } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import type { Places } from '../places/places.ts'
import type { ReplayOutput } from '../schemas/replay.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { isTrusted } from '../settings/trust.ts'
import { skillPlaces } from '../skills/configured.ts'

/** Replays a history, and reports the first divergence. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const tools = given.value('tools') === 'rerun' ? 'rerun' : 'stub'
  const copy = workspaceOf(given, console, tools)
  const { places, store, row, history, state } = await chooseSession(given, console)
  const servers = state.policy?.tools?.servers ?? []
  if (tools === 'rerun' && servers.length > 0) throw noServers(servers, given)
  // Calls that run again get the same kind of walls as in the history.
  const walls = { use: state.policy?.walls?.state === 'held' ? 'required' : 'off' } as const
  const more = await besidesTheUsual(state, places)
  const agent = localOptions({ backend: nobody, projectRoot: copy ?? places.root, store, walls, ...more })
  const { kind, divergence, replayed } = await replaySession(history, { tools, agent })
  const session = { id: row.id, title: row.title, seq: state.seq }
  const output: ReplayOutput = { session, kind, replayed, divergence: divergence === null ? null : { ...divergence } }
  if (given.has('json')) printJson(console, output)
  else printLines(console, replayLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return divergence === null ? 'ok' : 'unverified'
}

/** A replay never asks a model: the history holds the answers. */
const nobody: Backend = {
  id: 'recording',
  stream() {
    throw new TypeError('A replay asks no model.')
  },
}

/** Tools besides the usual that the session had: those that have changed since are where it goes another way. */
async function besidesTheUsual(
  { policy }: SessionState,
  places: Pick<Places, 'root' | 'config'>,
): Promise<Pick<LocalAgentOptions, 'offered' | 'tools'>> {
  const had = new Set(policy?.tools?.names)
  const [background, fetch, agent] = [had.has('background'), had.has('fetch'), had.has('agent')]
  const agents = agent ? await agentsNow(places) : undefined
  const offering = background || fetch || agent ? await import('@loader/agent/offer-tools') : undefined
  const skills = had.has('skill') ? await import('@loader/extensions') : undefined
  return {
    ...(offering && { offered: offering.offerTools({ background, fetch, ...(agents && { agents }) }) }),
    ...(skills && { tools: [skills.skillTool(skills.readSkills(skillPlaces(places)))] }),
  }
}

/** Kinds of agents as they are now. None of them is begun. */
async function agentsNow(places: Pick<Places, 'root' | 'config'>) {
  const { kindsOfAgents } = await import('../settings/kinds-of-agents.ts')
  return { kinds: kindsOfAgents(places, isTrusted(places.config, places.root)).kinds }
}

/** A history has the tools of servers by name alone, and no server is asked for a replay. */
function noServers(servers: readonly { readonly name: string }[], { command }: Given): UsageError {
  const names = servers.map(({ name }) => name).join(', ')
  return new UsageError(
    `This session had tools of MCP servers (${names}), whose calls are not made again. Replay it with what they came to: leave --tools rerun out.`,
    command.name,
  )
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
