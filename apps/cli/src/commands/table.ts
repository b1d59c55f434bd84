import type { Command, Option, Positional } from '../arguments/command.ts'
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
const ofBackground = (name: keyof typeof import('./of-background.ts')) => async () => {
  const group = await import('./of-background.ts')
  return { run: group[name] }
}
const ofMcp = (name: keyof typeof import('./of-mcp.ts')) => async () => {
  const group = await import('./of-mcp.ts')
  return { run: group[name] }
}
const ofFleet = (name: keyof typeof import('./of-fleet.ts')) => async () => {
  const group = await import('./of-fleet.ts')
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
      summary: 'go on with this session: id, beginning of the id, or title; without one, choose it',
    },
    { name: 'fork', summary: 'go on in a copy, and leave the session as it is' },
    takeOver,
    { name: 'name', short: 'n', value: 'title', summary: 'title of the session' },
    { name: 'model', short: 'm', value: 'provider/id', summary: 'the model, such as ollama/qwen3:8b' },
    {
      name: 'permission-mode',
      value: 'mode',
      choices: ['read-only', 'workspace-write', 'danger-full-access', 'prompt', 'allow', 'plan'],
      summary: 'what tools may do without asking; plan is --mode plan',
    },
    {
      name: 'walls',
      value: 'use',
      choices: ['required', 'off'],
      summary: 'off where this machine is a wall itself: a container, CI',
    },
    {
      name: 'image',
      value: 'file',
      repeated: true,
      summary: 'show the model this image, PDF file or text, with the task',
    },
    {
      name: 'tools',
      value: 'names',
      repeated: true,
      summary: 'also offer the model: background, background:keep, fetch, agent',
    },
    { name: 'allowed-tools', value: 'rules', repeated: true, summary: 'allow these, such as "Bash(git log:*)"' },
    { name: 'disallowed-tools', value: 'rules', repeated: true, summary: 'deny these' },
    {
      name: 'thinking',
      value: 'level',
      choices: ['off', 'low', 'medium', 'high'],
      summary: 'how much the model thinks before it answers; without it, its provider decides',
    },
    {
      name: 'add-dir',
      value: 'folder',
      repeated: true,
      summary: 'tools and commands may change files in this folder too; undo and evidence do not know it',
    },
    {
      name: 'mcp-config',
      value: 'file',
      repeated: true,
      summary: 'the MCP servers of this file too: { "mcpServers": { … } }',
    },
    { name: 'max-turns', value: 'count', summary: 'end after so many answers of the model' },
    {
      name: 'max-budget-usd',
      value: 'amount',
      summary: 'end before a request that could make the session cost more US dollars than this',
    },
    {
      name: 'fallback-model',
      value: 'provider/id',
      summary: 'the model that takes over while the first is overloaded',
    },
    {
      name: 'mode',
      value: 'mode',
      choices: ['clarify', 'plan', 'execute', 'verify', 'explore'],
      summary: 'how to go about the task; without it, loader decides; plan changes nothing before you approve the plan',
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
    { name: 'json', summary: 'short for --output-format json' },
    {
      name: 'output-schema',
      value: 'file',
      summary: 'with -p: the answer must be JSON that matches this JSON schema, or the exit code is 3',
    },
    {
      name: 'input-format',
      value: 'form',
      choices: ['text', 'stream-json'],
      summary: 'stream-json: a message of the user on each line of standard input, one after the other',
    },
    {
      name: 'notify',
      value: 'command',
      summary: 'with -p: run this at the end, with LOADER_SESSION and LOADER_EXIT_CODE',
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
  notes: ['Standard input that is not a terminal is read as the task, or as its context.'],
  load: () => import('./run.ts'),
}

/** An option that another command takes as a run does. */
function optionOfRun(name: string, summary?: string, choices?: readonly string[]): Option {
  const option = main.options.find((one) => one.name === name)
  if (option === undefined) throw new Error(`A run has no option --${name}.`)
  return { ...option, ...(summary !== undefined && { summary }), ...(choices && { choices }) }
}

const whoseSettings = [
  { name: 'project', summary: 'in .loader/settings.json, for everybody who works on the project' },
  { name: 'local', summary: 'in .loader/settings.local.json, for you in this project' },
] as const

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
      { name: 'agents', summary: 'also those that other sessions began for a part of their task' },
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
    name: 'web',
    summary: 'work on sessions in a browser, and see how they go on',
    positionals: [session],
    options: [
      { name: 'port', value: 'number', summary: '4711 if it is free; 0 for any' },
      { name: 'host', value: 'address', summary: 'listen here, with a token of your own' },
      { name: 'url', value: 'address', summary: 'of a proxy with TLS in front of it' },
      { name: 'token-file', value: 'file', summary: 'your own token; or set LOADER_WEB_TOKEN' },
      { name: 'open', summary: 'open it in your browser' },
      { name: 'read-only', summary: 'show sessions, and refuse everything that would change one' },
      ...['model', 'permission-mode', 'walls', 'allowed-tools', 'disallowed-tools', 'thinking', 'max-turns'].map(
        (name) => optionOfRun(name),
      ),
      ...['max-budget-usd', 'fallback-model', 'config'].map((name) => optionOfRun(name)),
      ...ofSession,
    ],
    load: () => import('./web.ts'),
  },
  {
    name: 'web link',
    summary: 'print an address that shows one session, read-only',
    positionals: [{ name: 'session', summary: 'its id, the beginning of it, or its title', required: true }],
    options: [
      { name: 'port', value: 'number', summary: 'of the server; 4711 without it' },
      { name: 'host', value: 'address', summary: 'of the server' },
      { name: 'url', value: 'address', summary: 'of a proxy in front of the server' },
      { name: 'token-file', value: 'file', summary: 'the token of the server; or set LOADER_WEB_TOKEN' },
      ...ofSession,
    ],
    load: () => import('./web-link.ts'),
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
    name: 'skills',
    summary: 'list the skills that the model can load',
    positionals: [],
    options: [json, ...common],
    load: () => import('./skills.ts'),
  },
  {
    name: 'ps',
    summary: 'list background commands that go on, in this project',
    positionals: [],
    options: [{ name: 'all', summary: 'of all projects' }, json, ...common],
    load: ofBackground('ps'),
  },
  {
    name: 'stop',
    summary: 'end a background command',
    positionals: [
      { name: 'command', summary: 'its id, as loader ps prints it: bg1, or SESSION/bg1', required: true, rest: true },
    ],
    options: [json, ...common],
    load: ofBackground('stop'),
  },
  {
    name: 'run',
    summary: 'queue a task for a worker, and follow it; the work goes on when this ends',
    positionals: [{ name: 'task', summary: 'what to do; absent, with -r: only follow', rest: true }],
    options: [
      optionOfRun('resume', 'a task for this session, or to follow it'),
      optionOfRun('name'),
      optionOfRun('mode'),
      optionOfRun('permission-mode', 'plan is --mode plan; everything else the worker decides', ['plan']),
      optionOfRun('check'),
      { name: 'strict', summary: 'an end that no check speaks for is not good enough (exit code 3)' },
      { name: 'expect', value: 'what', choices: ['change'], summary: 'a turn that changes no file ends with 3' },
      { name: 'detach', summary: 'only queue, and print the id of the session' },
      { name: 'verbose', summary: 'say on standard error what goes on' },
      { ...optionOfRun('output-format'), summary: 'what to print' },
      optionOfRun('json'),
      ...ofSession,
    ],
    notes: [
      'Model, permissions and walls are those of the worker.',
      'Ends with 4 when an answer is needed: loader answer.',
    ],
    load: ofFleet('queue'),
  },
  {
    name: 'answer',
    summary: 'answer what a session waits with, from anywhere; without an answer, show the question',
    positionals: [
      { name: 'session', summary: 'its id, the beginning of it, or its title', required: true },
      { name: 'words', summary: 'the answer, or why a permission is given or not', rest: true },
    ],
    options: [
      { name: 'allow', summary: 'yes, the call may run' },
      { name: 'deny', summary: 'no' },
      { name: 'session', summary: 'the same for its kind, for the rest of the session' },
      json,
      ...ofSession,
    ],
    load: ofFleet('answer'),
  },
  {
    name: 'worker',
    summary: 'work on the sessions of a database that tasks were queued in',
    positionals: [],
    options: [
      { name: 'projects', value: 'folder', summary: 'where the projects are, each in a folder of its name' },
      { name: 'concurrency', value: 'count', summary: 'how many sessions at once; 1 without it' },
      { name: 'grace', value: 'seconds', summary: 'within which sessions are given back at the end; 25 without it' },
      {
        name: 'lease',
        value: 'seconds',
        summary: 'how long its sessions are kept for it when nothing is heard of it; 30 without it',
      },
      { name: 'health-port', value: 'port', summary: 'answer /live and /ready there' },
      { name: 'health-host', value: 'address', summary: 'where to listen for that; 127.0.0.1 without it' },
      { name: 'name', short: 'n', value: 'name', summary: 'how others see it' },
      ...['model', 'permission-mode', 'walls', 'allowed-tools', 'disallowed-tools', 'thinking', 'max-turns'].map(
        (name) => optionOfRun(name),
      ),
      ...['max-budget-usd', 'fallback-model', 'accept', 'config'].map((name) => optionOfRun(name)),
      ...ofSession,
    ],
    notes: ['SIGTERM ends it when its calls are done, with every session given back; a second one at once.'],
    load: ofFleet('worker'),
  },
  {
    name: 'fleet',
    summary: 'print the workers, and the sessions that they have, that wait, and that are parked',
    positionals: [],
    options: [json, ...ofSession],
    load: ofFleet('fleet'),
  },
  {
    name: 'fleet unpark',
    summary: 'let workers take a session again that was parked because it had killed three of them',
    positionals: [{ name: 'session', summary: 'its id, the beginning of it, or its title', required: true }],
    options: [...ofSession],
    load: ofFleet('fleetUnpark'),
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
    summary: 'replay a session, and name the first difference',
    positionals: [session],
    options: [
      {
        name: 'tools',
        value: 'how',
        choices: ['stub', 'rerun'],
        summary: 'answer calls from the history (stub), or run them again',
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
      { name: 'permission', summary: 'allow, ask or deny', required: true },
      { name: 'rule', summary: 'such as "Bash(npm test:*)"', required: true },
    ],
    options: [{ name: 'user', summary: 'for all projects, not only this one' }, ...common],
    load: ofDecisions('permissionsAdd'),
  },
  {
    name: 'permissions remove',
    summary: 'remove a rule',
    positionals: [
      { name: 'permission', summary: 'allow, ask or deny', required: true },
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
    name: 'mcp add',
    summary: 'add an MCP server: the program that it is, or its address',
    positionals: [
      { name: 'name', summary: 'what it is called; its tools are name__tool', required: true },
      {
        name: 'command',
        summary: 'the program and its arguments, behind --; or an address',
        required: true,
        rest: true,
      },
    ],
    options: [
      { name: 'project', summary: 'in .mcp.json, for everybody who works on the project' },
      {
        name: 'reach',
        value: 'reach',
        choices: ['work', 'network', 'open'],
        summary: 'what its program can touch; work reads, network has a network, open is without walls',
      },
      { name: 'writable', value: 'path', repeated: true, summary: 'its program can change this, in walls too' },
      { name: 'read-only', value: 'tool', repeated: true, summary: 'this tool changes nothing, and runs unasked' },
      { name: 'env', short: 'e', value: 'NAME=value', repeated: true, summary: 'a variable for its program' },
      { name: 'header', value: 'name: value', repeated: true, summary: 'a header of requests to its address' },
      { name: 'force', summary: 'in place of one that is there already' },
      ...common,
    ],
    notes: [
      'loader mcp add files --writable docs -- npx -y @modelcontextprotocol/server-filesystem .',
      "loader mcp add tracker https://tracker.example/mcp --header 'Authorization: Bearer ${TRACKER_TOKEN}'",
    ],
    load: ofMcp('added'),
  },
  {
    name: 'mcp list',
    summary: 'list the MCP servers, where each is named, and what keeps it from starting',
    positionals: [],
    options: [json, ...common],
    load: ofMcp('listed'),
  },
  {
    name: 'mcp remove',
    summary: 'remove an MCP server from your settings or .mcp.json, with its login',
    positionals: [{ name: 'name', summary: 'its name', required: true }],
    options: [{ name: 'project', summary: 'from .mcp.json' }, ...common],
    load: ofMcp('removed'),
  },
  {
    name: 'mcp test',
    summary: 'connect to MCP servers, and list what they offer',
    positionals: [{ name: 'name', summary: 'only this one' }],
    options: [
      { name: 'mcp-config', value: 'file', repeated: true, summary: 'the servers of this file too' },
      json,
      ...common,
    ],
    load: ofMcp('tested'),
  },
  {
    name: 'mcp login',
    summary: 'log in with an MCP server that wants it, in the browser',
    positionals: [{ name: 'name', summary: 'its name', required: true }],
    options: [{ name: 'forget', summary: 'log out: forget what was kept' }, ...common],
    load: ofMcp('loggedIn'),
  },
  {
    name: 'mcp approve',
    summary: 'let a server of this project have what it asks for, as it is now',
    positionals: [{ name: 'name', summary: 'its name', required: true }],
    options: [
      { name: 'reach', value: 'reach', choices: ['work', 'network', 'open'], summary: 'what its program can touch' },
      { name: 'writable', value: 'path', repeated: true, summary: 'its program can change this' },
      { name: 'read-only', value: 'tool', repeated: true, summary: 'this tool changes nothing, and runs unasked' },
      { name: 'revoke', summary: 'no longer' },
      ...common,
    ],
    load: ofMcp('approved'),
  },
  {
    name: 'models',
    summary: 'list the models that can be reached, and what they can do',
    positionals: [{ name: 'provider', summary: 'only of this one, and all of them', rest: true }],
    options: [json, ...common],
    load: ofAgent('models'),
  },
  {
    name: 'login',
    summary: 'keep the key of a provider, after asking the provider whether it is good',
    positionals: [{ name: 'provider', summary: 'such as anthropic, openai or openrouter', required: true, rest: true }],
    options: [
      { name: 'file', summary: 'in a file that only you can read, even if the system has a keyring' },
      ...common,
    ],
    notes: [
      'The key is asked for, or read from standard input: loader login openai < key.txt',
      'A key in the environment goes before one that is kept.',
    ],
    load: ofAgent('login'),
  },
  {
    name: 'logout',
    summary: 'remove the key of a provider that `loader login` has kept',
    positionals: [{ name: 'provider', summary: 'as for `loader login`', required: true, rest: true }],
    options: [...common],
    load: ofAgent('logout'),
  },
  {
    name: 'config',
    summary: 'print every setting, its value, and where it comes from',
    positionals: [],
    options: [json, ...common],
    load: ofDecisions('config'),
  },
  {
    name: 'config list',
    summary: 'the same as config',
    positionals: [],
    options: [json, ...common],
    load: ofDecisions('config'),
  },
  {
    name: 'config get',
    summary: 'print the value of one setting',
    positionals: [
      { name: 'name', summary: 'as config prints it, such as model or limits.maxIterations', required: true },
    ],
    options: [json, ...common],
    load: ofDecisions('configGet'),
  },
  {
    name: 'config set',
    summary: 'set a setting, in your own file unless told otherwise',
    positionals: [
      { name: 'name', summary: 'as config prints it, such as model or limits.maxIterations', required: true },
      { name: 'value', summary: 'a text, or JSON', required: true },
    ],
    options: [...whoseSettings, ...common],
    load: ofDecisions('configSet'),
  },
  {
    name: 'config unset',
    summary: 'take a setting out of a file',
    positionals: [{ name: 'name', summary: 'as config prints it', required: true }],
    options: [...whoseSettings, ...common],
    load: ofDecisions('configUnset'),
  },
  {
    name: 'init',
    summary: 'write AGENTS.md, what agents should know of this project, by looking at it',
    positionals: [],
    options: [...common],
    notes: ['It never overwrites anything.'],
    load: ofDecisions('init'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    positionals: [
      { name: 'shell', summary: 'bash, zsh or fish; the scripts ask for sessions and models', required: true },
    ],
    options: [...ofSession],
    load: ofItself('completion'),
  },
  {
    name: 'help',
    summary: 'show this help, that of one command, or a page of the documentation',
    positionals: [{ name: 'command', summary: 'the command, or the page', rest: true }],
    options: [...common],
    load: ofItself('help'),
  },
]
