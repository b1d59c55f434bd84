import type { RewindResult } from '@loader/agent'
import { LoaderError, ThinkingLevel } from '@loader/session-core'
import { type PermissionMode, WorkflowMode } from '@loader/session-core/coding'
import { requireSession } from '../sessions/find-session.ts'
import { begin } from '../run/begin.ts'
import type { Begun } from '../run/beginning.ts'
import { inLines } from '@loader/readings'
import { firstLine } from '../screen/first-line.ts'
import { hanging } from '../screen/hanging.ts'
import { acceptLines } from '../views/accept-lines.ts'
import { rewoundLines } from '../views/rewound-lines.ts'
import { shownPath } from '../views/shown-path.ts'
import { reviewTask } from '../custom/review-task.ts'
import { captured } from './captured.ts'
import { modelChoices } from './choose-model.ts'
import { sessionChoosing } from './choose-session.ts'
import { turnChoices } from './choose-turn.ts'
import { customHelp } from './custom-help.ts'
import { permissionModeOf } from '../permissions/permission-settings.ts'
import type { Conversation } from './conversation.ts'
import { type Slash, slashHelp } from './slash-commands.ts'

/** Runs a slash command; `leave` ends the conversation. */
export async function runSlash({ name, words }: Slash, talk: Conversation): Promise<'leave' | void> {
  switch (name) {
    case 'help':
      return talk.terminal.print([...slashHelp(talk.look), ...customHelp(talk.begun.places, talk.look)])
    case 'quit':
      return 'leave'
    case 'mode':
      return setMode(words, talk)
    case 'model':
      return words === '' ? chooseModel(talk) : changeModel(words, talk)
    case 'thinking':
      return changeThinking(words, talk)
    case 'compact':
      return compact(words, talk)
    case 'permissions':
      return command(['permissions', ...permissionWords(words, permissionModeOf(talk.chat.agent))], talk)
    case 'timeline':
    case 'why':
    case 'evidence':
    case 'status':
    case 'usage':
      return ofSession([name], talk)
    case 'config':
    case 'ps':
    case 'skills':
      return command([name], talk)
    case 'review':
      talk.chat.wish({ mode: 'explore' })
      return talk.chat.work(reviewTask(words))
    case 'diff':
      return ofSession(['diff', ...(words === '' ? [] : ['--turn', words])], talk)
    case 'accept':
      return accept(talk)
    case 'check':
      return setCheck(words, talk)
    case 'goal':
      return ofSession(['evidence'], talk)
    case 'undo':
      return undo(1, talk)
    case 'rewind':
      return rewind(talk)
    case 'rename':
      return rename(words, talk)
    case 'export':
      return exportTo(words, talk)
    case 'fork':
      return goOnIn((await talk.chat.agent.fork()).id, talk)
    case 'resume':
      return words === '' ? resume(talk) : goOnIn((await requireSession(talk.begun.store, words)).id, talk)
    case 'clear':
      await talk.chat.agent.clearHistory()
      return tell('A fresh session. The one before stays: /resume', talk)
    default:
      return name satisfies never
  }
}

function tell(text: string, { terminal, look }: Conversation): void {
  terminal.print(hanging('', 0, text, { columns: look.columns, paint: (line) => look.paint('dim', line) }))
}

function setMode(words: string, talk: Conversation): void {
  const mode = WorkflowMode.safeParse(words)
  if (mode.success) {
    talk.chat.wish({ mode: mode.data })
    return tell(`The next task begins in mode ${mode.data}.`, talk)
  }
  const now = talk.chat.state?.mode
  const modes = WorkflowMode.options.join(', ')
  return tell(`${now === undefined ? '' : `The mode is ${now}. `}For the next task, give one of: ${modes}.`, talk)
}

async function compact(words: string, talk: Conversation): Promise<void> {
  const before = talk.chat.state?.messages.length ?? 0
  if (before === 0) return tell('There is nothing to fold yet.', talk)
  await talk.chat.compact(words === '' ? undefined : words)
}

/** `trust` and `add allow "Bash(git log:*)"` are passed on; anything else is a command or call to explain. */
function permissionWords(words: string, mode: PermissionMode): string[] {
  if (words === '') return ['list']
  const [, first = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(words) ?? []
  switch (first) {
    case 'list':
    case 'trust':
      return [first, ...rest.split(/\s+/).filter((word) => word !== '')]
    case 'add':
    case 'remove': {
      const [, permit = '', rule = ''] = /^(\S*)\s*([^]*)$/.exec(rest) ?? []
      return [first, permit, rule.replace(/^(["'])([^]*)\1$/, '$2')]
    }
    default:
      return ['explain', '--permission-mode', mode, '--', words]
  }
}

/** Shows what the last turn rests on, and accepts exactly that if the user confirms. */
async function accept(talk: Conversation): Promise<void> {
  const { agent } = talk.chat
  const { terminal, look } = talk
  const view = { width: look.columns, paint: look.paint }
  const { id } = agent.session
  const found = await agent.accept({ preview: true })
  if (found === undefined) return tell('There is nothing to accept: the last turn rests on nothing.', talk)
  const patch = inLines(found.patch).join('\n')
  terminal.print(acceptLines({ session: id, done: false, ...found, patch }, view))
  tell('y accepts it; anything else leaves it.', talk)
  if (!(await talk.confirm())) return tell('Nothing was accepted.', talk)
  const done = await agent.accept()
  if (done !== undefined) terminal.print(acceptLines({ session: id, done: true, ...done, patch: '' }, view))
}

/** Sets checks that apply to this session until they pass or are removed. */
function setCheck(words: string, talk: Conversation): void {
  if (words === '') return tell('Give a command that shows that the work is done: /check npm test', talk)
  const isOff = words === 'off'
  talk.chat.wish({ doneWhen: isOff ? [] : [{ command: words }] })
  return tell(
    isOff ? 'The next task begins without checks of yours.' : `The next task is done when \`${words}\` succeeds.`,
    talk,
  )
}

/** Lets the user choose the turn to go back to. */
async function rewind(talk: Conversation): Promise<void> {
  const choices = await turnChoices(talk.chat.agent)
  if (choices.length === 0) return tell('There is no turn to go back to.', talk)
  const toTurn = await talk.terminal.choose({ title: 'Go back to before', choices })
  if (toTurn !== undefined) await undo(toTurn, talk)
}

/** Lets the user choose the session to go on with. */
async function resume(talk: Conversation): Promise<void> {
  const { chat, begun, terminal } = talk
  const row = await terminal.choose(await sessionChoosing(begun.store, chat.agent.session.id))
  if (row !== undefined) await goOnIn(row.id, talk)
}

async function chooseModel(talk: Conversation): Promise<void> {
  const { begun, terminal } = talk
  tell(`The model is ${begun.backend.id}.`, talk)
  const choices = await modelChoices(begun)
  if (choices.length === 0) return tell('No other model was found. Name one: /model ollama/qwen3:8b', talk)
  const model = await terminal.choose({ title: 'Models', choices })
  if (model !== undefined) await changeModel(model, talk)
}

/** Shows what would be undone, and undoes exactly that if the user confirms. */
async function undo(toTurn: number, talk: Conversation): Promise<void> {
  const { agent } = talk.chat
  const foreseen = await agent.rewind({ toTurn, files: true, preview: true })
  tell(`This takes back: ${firstLine(foreseen.input, 200)}`, talk)
  tellFiles(foreseen, false, talk)
  tell('y does it; anything else leaves it.', talk)
  if (!(await talk.confirm())) return tell('Nothing was changed.', talk)
  const { plan } = foreseen
  const done = await agent.rewind({ toTurn, files: true, ...(plan && { plan }) })
  tellFiles(done, true, talk)
  tell('Taken back. What you had said stands in the input again.', talk)
  talk.terminal.propose(done.input)
}

function tellFiles({ files, unseen }: RewindResult, done: boolean, { begun, terminal, look }: Conversation): void {
  const shown = files.map((file) => ({ ...file, path: shownPath(begun.places.root, file.path) }))
  terminal.print(rewoundLines({ done, files: shown, unseen }, { width: look.columns, paint: look.paint }))
}

async function rename(words: string, talk: Conversation): Promise<void> {
  if (words === '') return tell('Give a title: /rename Fix the parser', talk)
  await talk.chat.agent.rename(words)
  return tell(`This session is called: ${firstLine(words, 200)}`, talk)
}

/** The extension of the file selects the format; without a name it is Markdown. */
function exportTo(words: string, talk: Conversation): Promise<void> {
  const file = words === '' ? `${talk.chat.agent.session.id}.md` : words
  const [, ending = ''] = /\.(md|html)$/i.exec(file) ?? []
  return ofSession(['export', '--output', file, '--format', ending === '' ? 'json' : ending.toLowerCase()], talk)
}

/** Runs a command of `loader` on this session. */
async function ofSession(words: readonly string[], talk: Conversation): Promise<void> {
  const { id, state } = talk.chat.agent.session
  if (state === null) return tell('Nothing has happened in this session yet.', talk)
  if (talk.begun.given.has('ephemeral'))
    return tell('This session is kept in memory only: there is nothing to read.', talk)
  return command([...words, id], talk)
}

async function command(words: readonly string[], { begun, program, terminal }: Conversation): Promise<void> {
  const { console, places } = begun
  terminal.print(await captured(program, words, console, { folder: places.folder, columns: terminal.columns }))
}

async function goOnIn(id: string, talk: Conversation): Promise<void> {
  if (!(await talk.chat.agent.resumeSession(id))) {
    throw new LoaderError('session_not_found', `Session ${id} is not there any more. See which there are: /resume`)
  }
  await talk.greet()
}

/** Continues the session with another model; if that fails, with the previous one. */
async function changeModel(model: string, talk: Conversation): Promise<void> {
  const { begun, chat } = talk
  if (begun.given.has('ephemeral')) return tell('A session that is kept in memory only stays with its model.', talk)
  const { id, state } = chat.agent.session
  const sessionId = state === null ? null : id
  await chat.agent.close()
  try {
    talk.changeTo(await begunWith(model, sessionId, begun))
  } catch (error) {
    talk.changeTo(await begunWith(begun.backend.id, sessionId, begun))
    throw error
  }
  return tell(`Going on with ${talk.begun.backend.id}.`, talk)
}

/** The next task is worked on with another level of thinking. */
function changeThinking(words: string, talk: Conversation): void {
  const { agent } = talk.chat
  const levels = [...ThinkingLevel.options, 'auto'].join(', ')
  const level = ThinkingLevel.safeParse(words)
  if (level.success || words === 'auto') {
    agent.setThinking(level.data)
    return tell(`Thinking is ${words}, from the next task on.`, talk)
  }
  return tell(
    `Thinking is ${agent.config.thinking ?? 'auto'}. Change it with one of: ${levels}. The key is Ctrl-T.`,
    talk,
  )
}

async function begunWith(
  model: string,
  sessionId: string | null,
  { given, console, places, agent }: Begun,
): Promise<Begun> {
  const { thinking } = agent.config
  const level = thinking === undefined ? {} : { thinking }
  const next = await begin({ given, console, places, piped: '', audience: 'user', model, sessionId, ...level })
  if (next.kind === 'begun') return next
  throw new LoaderError('invalid_config', 'No model was chosen.')
}
