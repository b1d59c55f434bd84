import { join } from 'node:path'
import { inText } from '@loader/readings'
import { textOf } from '@loader/session-core'
import type { Program } from '../arguments/command.ts'
import { canDraw } from '../console/can-draw.ts'
import { type ExitCode, exitNumber } from '../console/exit-codes.ts'
import type { Begun } from '../run/beginning.ts'
import { onCrash } from '../run/crash.ts'
import { modeOfRun } from '../run/mode-of-run.ts'
import { wayBack } from '../run/way-back.ts'
import { customCommands } from '../custom/find-commands.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { glyphsFor } from '../screen/glyphs.ts'
import { paintFor } from '../screen/paint.ts'
import { Theme } from '../screen/theme.ts'
import { wrap } from '../screen/width.ts'
import { Conversation } from './conversation.ts'
import { InputHistory } from './input-history.ts'
import { PlainTerminal } from './plain-terminal.ts'
import { type ListedPaths, ProjectPaths } from './project-paths.ts'
import type { NamedCommand } from './suggestions.ts'
import type { Terminal } from './terminal.ts'

/** Runs the conversation at a terminal until the user leaves. */
export async function runInteractive(begun: Begun, program: Program): Promise<ExitCode> {
  const { given, console } = begun
  const theme = new Theme(begun.loaded.settings.theme ?? 'auto', paintFor(given, console), console)
  const style = { paint: theme.paint, glyphs: glyphsFor(console) }
  const going: { talk?: Conversation } = {}
  const terminal = await terminalFor(begun, style, theme, () => going.talk?.begun ?? begun)
  const talk = new Conversation(begun, program, terminal, style, () => leaveAtOnce('interrupted'))
  going.talk = talk
  const leaveAtOnce = (code: ExitCode) => {
    terminal.close()
    console.stdout.write(farewell(talk))
    process.exit(exitNumber(code))
  }
  const crash = onCrash((error) => {
    terminal.close()
    console.stderr.write(
      `loader: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${farewell(talk)}`,
    )
  })
  const onTerminate = () => leaveAtOnce('terminated')
  process.on('SIGTERM', onTerminate)
  const over = new AbortController()
  try {
    terminal.attach(talk)
    talk.chat.wish(wishesOf(begun))
    await talk.greet()
    void tellKeyTrouble(begun, { terminal, style, signal: over.signal })
    await talk.run()
    terminal.close()
    console.stdout.write(farewell(talk))
    return 'ok'
  } finally {
    over.abort()
    process.off('SIGTERM', onTerminate)
    crash.stop()
    terminal.close()
    await talk.chat.agent.close()
  }
}

/**
 * Says that the key is missing or refused before the first task is typed. Nothing waits for it: the provider is asked in
 * the background, and a conversation that is over before it answers does without.
 */
async function tellKeyTrouble(
  { backend, loaded, console, places }: Begun,
  {
    terminal,
    style,
    signal,
  }: { readonly terminal: Terminal; readonly style: Pick<LineStyle, 'paint'>; readonly signal: AbortSignal },
): Promise<void> {
  const { keyTrouble } = await import('../run/key-trouble.ts')
  const trouble = await keyTrouble(backend.id, loaded.settings, { console, places, signal })
  if (trouble === undefined || signal.aborted) return
  const lines = inText(trouble)
    .split('\n')
    .flatMap((line) => wrap(line, terminal.columns))
  terminal.print(lines.map((line) => style.paint('yellow', line)))
}

/** How to resume the session, if there is one. */
function farewell({ chat, begun }: Conversation): string {
  const { id, state } = chat.agent.session
  if (state === null || begun.given.has('ephemeral')) return ''
  const back = wayBack(begun.given, begun.places, id, begun.address)
  return back.kind === 'resume' ? `Go on later with: ${back.command}\n` : `${back.why}\n`
}

/** Uses the full terminal if it is supported and not turned off, else plain lines. Only the first loads its library. */
async function terminalFor(
  begun: Begun,
  style: Omit<LineStyle, 'columns'>,
  theme: Theme,
  now: () => Begun,
): Promise<Terminal> {
  const { console } = begun
  if (!canDraw(console)) return new PlainTerminal(console)
  const { FullTerminal } = await import('./full-terminal.ts')
  const file = begun.given.has('ephemeral') ? undefined : join(begun.places.project().folders.folder, 'inputs.jsonl')
  const history = new InputHistory(file)
  const known = new Set(history.texts)
  for (const text of historyOf(begun)) if (!known.has(text)) history.add(text)
  const paths = new ProjectPaths(begun.places.folder, console.environment)
  return new FullTerminal({
    console,
    style,
    theme,
    history,
    paths: { list: async () => withResources(await paths.list(), now()) },
    commands: () => [...customCommands(begun.places).values(), ...promptsOf(now())],
    root: begun.places.root,
    settings: begun.loaded.settings,
  })
}

/** What can stand behind an `@`: files, and the resources of MCP servers. */
function withResources(paths: ListedPaths, { mcp }: Begun): ListedPaths {
  const resources = mcp?.resources.map(({ server, uri }) => `${server}:${uri}`) ?? []
  return resources.length === 0 ? paths : { ...paths, known: [...paths.known, ...resources] }
}

/** The prompts of MCP servers, as commands. */
function promptsOf({ mcp }: Begun): readonly NamedCommand[] {
  return mcp?.prompts.map(({ server, name, description }) => ({ name: `${server}:${name}`, description })) ?? []
}

/** Earlier inputs of the user in this session. */
function historyOf({ agent }: Begun): string[] {
  return agent.messages
    .filter(({ origin }) => origin === 'input' || origin === 'steering')
    .map(({ content }) => textOf(content))
}

/** The options for the first task. */
function wishesOf({ given, files }: Begun) {
  const mode = modeOfRun(given)
  const doneWhen = given.values('check').map((command) => ({ command }))
  const shown = files.length === 0 ? {} : { files }
  return { ...(mode && { mode }), ...(doneWhen.length > 0 && { doneWhen }), ...shown }
}
