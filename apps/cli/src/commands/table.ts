import type { Command, Positional } from '../arguments/command.ts'
import { common, json, ofSession, takeOver } from './options.ts'

const session: Positional = {
  name: 'session',
  summary: 'its id, the beginning of it, or its title; absent means the latest',
}

const ofSessions = (name: Exclude<keyof typeof import('./of-sessions.ts'), 'searchFor'>) => async () => {
  const group = await import('./of-sessions.ts')
  return { run: group[name] }
}
const ofDecisions = (name: keyof typeof import('./of-decisions.ts')) => async () => {
  const group = await import('./of-decisions.ts')
  return { run: group[name] }
}
const ofAgent = (name: keyof typeof import('./of-agent.ts')) => async () => {
  const group = await import('./of-agent.ts')
  return { run: group[name] }
}
const ofItself = (name: keyof typeof import('./of-itself.ts')) => async () => {
  const group = await import('./of-itself.ts')
  return { run: group[name] }
}

/** The task or interactive interface that `loader` runs without a command. */
export const main: Command = {
  name: '',
  summary: 'A coding agent that loses nothing, and calls done only what was verified.',
  positionals: [{ name: 'task', summary: 'what to do; without it, loader asks', rest: true }],
  options: [
    { name: 'print', short: 'p', summary: 'do the task, print the answer, and exit; never ask anything' },
    {
      name: 'continue',
      short: 'c',
      summary: 'go on with the latest session of this project, with its model and settings',
    },
    {
      name: 'resume',
      short: 'r',
      value: 'session',
      optional: true,
      summary: 'go on with this session: id, beginning of the id, or title',
    },
    { name: 'fork', summary: 'go on in a copy, and leave the session as it is' },
    takeOver,
    { name: 'name', short: 'n', value: 'title', summary: 'title of the session' },
    { name: 'model', short: 'm', value: 'provider/id', summary: 'the model, such as ollama/qwen3:8b' },
    {
      name: 'permission-mode',
      value: 'mode',
      choices: ['read-only', 'workspace-write', 'danger-full-access', 'prompt', 'allow'],
      summary: 'what tools may do without asking',
    },
    {
      name: 'walls',
      value: 'use',
      choices: ['required', 'off'],
      summary: 'off where this machine is a wall itself: a container, CI',
    },
    { name: 'allowed-tools', value: 'rules', repeated: true, summary: 'allow these, such as "Bash(git log:*)"' },
    { name: 'disallowed-tools', value: 'rules', repeated: true, summary: 'deny these' },
    { name: 'max-turns', value: 'count', summary: 'end after so many answers of the model' },
    {
      name: 'mode',
      value: 'mode',
      choices: ['clarify', 'plan', 'execute', 'verify', 'explore'],
      summary: 'how to go about the task; without it, loader decides',
    },
    { name: 'check', value: 'command', repeated: true, summary: 'the task is done when this command succeeds' },
    { name: 'strict', summary: 'with -p: an end that no check speaks for is not good enough (exit code 3)' },
    {
      name: 'expect',
      value: 'what',
      choices: ['change'],
      summary: 'with -p: a turn that changes no file of the project ends with 3',
    },
    {
      name: 'accept',
      value: 'pattern',
      repeated: true,
      summary: 'accept changes of these files beforehand where checks rest on them, such as "test/**"',
    },
    { name: 'ephemeral', summary: 'keep the session in memory only' },
    {
      name: 'output-format',
      value: 'form',
      choices: ['text', 'json', 'stream-json', 'events'],
      summary: 'what to print with -p',
    },
    { name: 'include-partial-messages', summary: 'with stream-json: text as it arrives' },
    { name: 'replay-user-messages', summary: 'with stream-json: also what the user said' },
    { name: 'output-last-message', short: 'o', value: 'file', summary: 'also write the answer into this file' },
    {
      name: 'config',
      value: 'key=value',
      repeated: true,
      summary: 'one setting, before those of the session and of files',
    },
    { name: 'verbose', summary: 'with -p: say on standard error what goes on' },
    { name: 'version', short: 'v', summary: 'print the version' },
    ...ofSession,
  ],
  notes: ['Standard input, when it is no terminal, is read as the task, or as its context.'],
  load: () => import('./run.ts'),
}

const filters = [
  { name: 'mode', value: 'mode', summary: 'only decisions that lead to this mode' },
  { name: 'kind', value: 'kind', summary: 'only decisions of this kind' },
  { name: 'policy', summary: 'only what judged, repaired or verified' },
  { name: 'limit', value: 'count', summary: 'only the latest' },
] as const

/** Every command. Parser, help, completion and documentation are generated from this table. */
export const commands: readonly Command[] = [
  {
    name: 'demo',
    summary: 'watch a scripted task: an edit, a check, a crash, and what is left of it',
    positionals: [],
    options: [
      { name: 'keep', summary: 'leave the demo folder there' },
      { name: 'fast', summary: 'do not pause' },
      ...common,
    ],
    load: ofAgent('demo'),
  },
  {
    name: 'sessions',
    summary: 'list the sessions of this project',
    positionals: [],
    options: [
      { name: 'search', value: 'text', summary: 'only sessions in whose messages this text occurs' },
      { name: 'all', summary: 'of all projects' },
      { name: 'limit', value: 'count', summary: 'only the latest' },
      json,
      ...ofSession,
    ],
    load: () => import('./sessions.ts'),
  },
  {
    name: 'sessions copy',
    summary: 'copy sessions into a database, or out of one, and compare them',
    positionals: [{ name: 'session', summary: 'ids, beginnings of ids, or titles', rest: true }],
    options: [
      { name: 'to', value: 'address', summary: 'into this database; absent means the files of this project' },
      { name: 'from', value: 'address', summary: 'out of this database; absent means the files of this project' },
      { name: 'all', summary: 'every session of this project' },
      json,
      ...common,
    ],
    notes: ['The sessions stay where they are as well, under the same ids.'],
    load: ofSessions('copied'),
  },
  {
    name: 'show',
    summary: 'print the conversation of a session',
    positionals: [session],
    options: [
      { name: 'at', value: 'seq', summary: 'as it was after this event' },
      { name: 'full', summary: 'everything, also what has left the window, and long texts in full' },
      json,
      ...ofSession,
    ],
    load: ofSessions('show'),
  },
  {
    name: 'timeline',
    summary: 'print what the runtime decided, and why',
    positionals: [session],
    options: [...filters, json, ...ofSession],
    load: ofDecisions('timeline'),
  },
  {
    name: 'ledger',
    summary: 'print assumptions, acceptance anchors and decision boundaries',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofDecisions('ledger'),
  },
  {
    name: 'evidence',
    summary: 'print what has to hold, and what checks showed of it',
    positionals: [session],
    options: [{ name: 'full', summary: 'with the output of every check' }, json, ...ofSession],
    load: ofDecisions('evidence'),
  },
  {
    name: 'why',
    summary: 'explain why the last turn ended as it did',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofDecisions('why'),
  },
  {
    name: 'usage',
    summary: 'print tokens, requests and calls, turn by turn',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofSessions('usage'),
  },
  {
    name: 'status',
    summary: 'print where this project stands: model, session, policy, open work',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofDecisions('status'),
  },
  {
    name: 'prompt show',
    summary: 'print the system prompt that was used last',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofSessions('promptShow'),
  },
  {
    name: 'prompt diff',
    summary: 'print what changed between the last two system prompts',
    positionals: [session],
    options: [json, ...ofSession],
    load: ofSessions('promptDiff'),
  },
  {
    name: 'rename',
    summary: 'give a session a title',
    positionals: [{ name: 'title', summary: 'the new title', required: true }, session],
    options: [takeOver, ...ofSession],
    load: ofSessions('rename'),
  },
  {
    name: 'fork',
    summary: 'copy a session up to a point, and leave it as it is',
    positionals: [session],
    options: [
      { name: 'at', value: 'seq', summary: 'the last event to copy; absent means all' },
      { name: 'name', short: 'n', value: 'title', summary: 'title of the copy' },
      json,
      ...ofSession,
    ],
    load: ofSessions('fork'),
  },
  {
    name: 'rewind',
    summary: 'go back to before a turn: the conversation, and what was done to files',
    positionals: [session],
    options: [
      { name: 'to', value: 'turn', summary: 'the turn to take back: its id, or how many turns ago; 1 is the last' },
      { name: 'conversation-only', summary: 'leave the files alone' },
      { name: 'yes', short: 'y', summary: 'do it; without this, only say what would happen' },
      takeOver,
      json,
      ...ofSession,
    ],
    load: ofAgent('rewind'),
  },
  {
    name: 'accept',
    summary: 'accept what the last turn rests on; without --yes only say what that is',
    positionals: [session],
    options: [{ name: 'yes', short: 'y', summary: 'accept it' }, takeOver, json, ...ofSession],
    load: ofAgent('accept'),
  },
  {
    name: 'check',
    summary: 'run the checks now, in rooms, and say where the work of a session stands',
    positionals: [session],
    options: [
      { name: 'strict', summary: 'what no check speaks for is not good enough (exit code 3)' },
      { name: 'verbose', summary: 'say on standard error which rooms are run' },
      takeOver,
      json,
      ...ofSession,
    ],
    load: ofAgent('check'),
  },
  {
    name: 'diff',
    summary: 'print what a session has changed in the files, as a patch',
    positionals: [session],
    options: [
      { name: 'turn', value: 'turn', summary: 'of one turn: its id, or how many turns ago; 1 is the last' },
      { name: 'stat', summary: 'only which files, and how many lines' },
      json,
      ...ofSession,
    ],
    load: ofDecisions('diff'),
  },
  {
    name: 'export',
    summary: 'write a session to a file or to standard output',
    positionals: [session],
    options: [
      { name: 'format', value: 'form', choices: ['json', 'md', 'html'], summary: 'json loses nothing' },
      { name: 'output', short: 'o', value: 'file', summary: 'the file; absent means standard output' },
      { name: 'keep-secrets', summary: 'do not replace what looks like a secret' },
      ...ofSession,
    ],
    load: ofSessions('exported'),
  },
  {
    name: 'import',
    summary: 'make a session of one of Claude Code, Codex, Gemini CLI, pi, or an export',
    positionals: [{ name: 'file', summary: 'the file, or the folder, of the other session', required: true }],
    options: [
      {
        name: 'from',
        value: 'kind',
        choices: ['auto', 'loader', 'session-state', 'streaming', 'claude', 'codex', 'gemini', 'pi', 'opencode'],
        summary: 'what the file is; absent means that loader looks',
      },
      { name: 'name', short: 'n', value: 'title', summary: 'title of the new session' },
      json,
      ...ofSession,
    ],
    load: ofAgent('imported'),
  },
  {
    name: 'delete',
    summary: 'move a session to the trash',
    positionals: [{ name: 'session', summary: 'its id, the beginning of it, or its title', required: true }],
    options: [
      { name: 'erase', summary: 'remove it for good' },
      { name: 'yes', short: 'y', summary: 'do not ask' },
      takeOver,
      ...ofSession,
    ],
    load: ofSessions('deleted'),
  },
  {
    name: 'doctor',
    summary: 'check this machine, the project, and every session',
    positionals: [],
    options: [{ name: 'repair', summary: 'make a repaired copy of each damaged session' }, json, ...ofSession],
    load: ofAgent('doctor'),
  },
  {
    name: 'verify',
    summary: 'look at every byte of a session, and say what is damaged',
    positionals: [{ name: 'session', summary: 'its id, the beginning of it, or its title; absent means all of them' }],
    options: [json, ...ofSession],
    load: ofSessions('verify'),
  },
  {
    name: 'replay',
    summary: 'run a recording again, and name the first difference',
    positionals: [session],
    options: [
      {
        name: 'tools',
        value: 'how',
        choices: ['stub', 'rerun'],
        summary: 'answer calls from the recording (stub), or run them again',
      },
      {
        name: 'workspace',
        value: 'folder',
        summary: 'with rerun: a copy of the project as it was then; it is changed',
      },
      json,
      ...ofSession,
    ],
    load: ofAgent('replay'),
  },
  {
    name: 'permissions list',
    summary: 'print the rules that hold, and where each comes from',
    positionals: [],
    options: [json, ...common],
    load: ofDecisions('permissionsList'),
  },
  {
    name: 'permissions explain',
    summary: 'say what would happen to a command or call, and what would change it',
    positionals: [{ name: 'command', summary: 'such as "git push", or Write(src/a.ts)', required: true }],
    options: [
      {
        name: 'permission-mode',
        value: 'mode',
        choices: ['read-only', 'workspace-write', 'danger-full-access', 'prompt', 'allow'],
        summary: 'as if this mode were set',
      },
      json,
      ...common,
    ],
    load: ofDecisions('permissionsExplain'),
  },
  {
    name: 'permissions add',
    summary: 'add a rule',
    positionals: [
      { name: 'permit', summary: 'allow, ask or deny', required: true },
      { name: 'rule', summary: 'such as "Bash(npm test:*)"', required: true },
    ],
    options: [{ name: 'user', summary: 'for all projects, not only this one' }, ...common],
    load: ofDecisions('permissionsAdd'),
  },
  {
    name: 'permissions remove',
    summary: 'remove a rule',
    positionals: [
      { name: 'permit', summary: 'allow, ask or deny', required: true },
      { name: 'rule', summary: 'as `permissions list` prints it', required: true },
    ],
    options: [{ name: 'user', summary: 'of all projects, not only of this one' }, ...common],
    load: ofDecisions('permissionsRemove'),
  },
  {
    name: 'permissions trust',
    summary: 'let the allow rules of this project count',
    positionals: [],
    options: [{ name: 'revoke', summary: 'no longer' }, ...common],
    load: ofDecisions('permissionsTrust'),
  },
  {
    name: 'models',
    summary: 'list the models that can be reached, and what they can do',
    positionals: [],
    options: [json, ...common],
    load: ofAgent('models'),
  },
  {
    name: 'config',
    summary: 'print every setting, its value, and where it comes from',
    positionals: [],
    options: [json, ...common],
    load: ofDecisions('config'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    positionals: [{ name: 'shell', summary: 'bash, zsh or fish', required: true }],
    options: [...common],
    load: ofItself('completion'),
  },
  {
    name: 'help',
    summary: 'show this help, or that of one command',
    positionals: [{ name: 'command', summary: 'the command', rest: true }],
    options: [...common],
    load: ofItself('help'),
  },
]
