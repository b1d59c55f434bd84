import type { EventType, SessionEvent } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { quickEnvironment } from '../scene/environment.ts'
import { scene, type Scene, type SceneOptions } from '../scene/scene.ts'
import { toldTrees } from '../scene/told-trees.ts'

interface RecordedRun {
  readonly what: string
  readonly make: () => Promise<Scene>
  /** Without these, the run is not what it is meant to be. */
  readonly expected: readonly EventType[]
}

const write = (name: string) => call('write', { file_path: name, content: `${name}\n` })
const task = 'Create a.txt in the workspace root.'

/** Runs in which something happens that a replay has to get right. */
export const recordedRuns: readonly RecordedRun[] = [
  {
    what: 'a call that the user denies, and one that is allowed for good',
    expected: ['question.answered', 'permission.rule_added'],
    async make() {
      const place = await at({
        config: { permissionMode: 'prompt' },
        lines: [
          line('One.', write('a.txt')),
          line('Two.', write('b.txt')),
          line('Three.', write('c.txt')),
          line('Done.'),
        ],
      })
      let asked = 0
      const approver = {
        decide: async () => {
          asked += 1
          return asked === 1
            ? ({ permit: 'deny', scope: 'once', reason: 'not that one' } as const)
            : ({ permit: 'allow', scope: 'session' } as const)
        },
      }
      await place.agent.run(task, { approver })
      return place
    },
  },
  {
    what: 'a call that the user allows for good, and not its kind',
    expected: ['question.answered', 'permission.rule_added'],
    async make() {
      const fetch = (remote: string) => line('I fetch.', call('bash', { command: `git fetch ${remote}` }))
      const place = await at({
        config: { permissionMode: 'prompt' },
        lines: [fetch('one'), fetch('one'), fetch('two'), line('Done.'), line('Done.'), line('Done.')],
      })
      const answer = { permit: 'allow', scope: 'session', extent: 'call' } as const
      await place.agent.run(task, { approver: { decide: async () => answer } })
      return place
    },
  },
  {
    what: 'nobody there to allow anything',
    expected: ['permission.decided', 'tool.finished'],
    async make() {
      const place = await at({
        config: { permissionMode: 'read-only' },
        lines: [
          line('One.', write('a.txt')),
          line('It is not allowed.'),
          line('It is not allowed at all.'),
          line('No.'),
        ],
      })
      await place.agent.run(task)
      return place
    },
  },
  {
    what: 'a question that is answered, and one that is not',
    expected: ['question.asked', 'question.answered'],
    async make() {
      const ask = (question: string) => line('I ask.', call('ask_user', { question }))
      const place = await at({
        lines: [ask('Which name?'), ask('Which folder?'), line('Now.', write('a.txt')), line('Done.')],
      })
      const answers = ['a.txt', undefined]
      await place.agent.run(task, { askUser: async () => answers.shift() })
      return place
    },
  },
  {
    what: 'words that came while a call ran',
    expected: ['input.taken'],
    async make() {
      const place = await at({ lines: [line('One.', write('a.txt')), line('Two.', write('b.txt')), line('Done.')] })
      await when(
        place,
        (event) => event.type === 'call.examined',
        () => place.agent.queueSteeringMessage('And b.txt.'),
      )
      return place
    },
  },
  {
    what: 'a stop while the model answers',
    expected: ['model.interrupted', 'stop.requested'],
    async make() {
      const place = await at({
        lines: [{ text: 'A long answer.', chunks: 'word', fault: { type: 'stall', after: 2 } }],
      })
      await when(
        place,
        (event) => event.type === 'model.asked',
        async () => setImmediate(() => place.agent.cancel('enough')),
      )
      return place
    },
  },
  {
    what: 'a stop while a command runs',
    expected: ['stop.requested', 'tool.finished'],
    async make() {
      const command = call('bash', { command: 'echo begun; sleep 20' })
      const place = await at({ config: { permissionMode: 'allow' }, lines: [line('One.', command, write('a.txt'))] })
      await when(
        place,
        (event) => event.type === 'tool.started',
        async () => place.agent.cancel('enough'),
      )
      return place
    },
  },
  {
    what: 'a stop while a question is open',
    expected: ['question.asked', 'stop.requested'],
    async make() {
      const place = await at({ config: { permissionMode: 'prompt' }, lines: [line('One.', write('a.txt'))] })
      const never = new Promise<never>(() => {})
      const approver = { decide: () => never }
      await when(
        place,
        (event) => event.type === 'question.asked',
        async () => place.agent.cancel('enough'),
        { approver },
      )
      return place
    },
  },
  {
    what: 'requests that fail, and are tried again after a while',
    expected: ['model.failed', 'wait.finished'],
    async make() {
      const overloaded = { fault: { type: 'throw', kind: 'overloaded', message: 'Busy.', status: 529 } } as const
      const cut = { text: 'I begin', fault: { type: 'cut' } } as const
      const place = await at({ lines: [overloaded, cut, line('One.', write('a.txt')), line('Done.')] })
      await place.agent.run(task)
      return place
    },
  },
  {
    what: 'hooks that refuse, change, and send back',
    expected: ['hook.finished'],
    async make() {
      let stops = 0
      const place = await at({
        lines: [line('One.', write('a.txt')), line('Two.', write('b.txt')), line('Done.'), line('Done indeed.')],
        hooks: [
          {
            name: 'guard',
            on: 'pre_tool',
            run: ({ call: made }) =>
              JSON.stringify(made?.input).includes('a.txt') ? { decision: 'deny', message: 'not a.txt' } : {},
          },
          { name: 'namer', on: 'pre_tool', run: () => ({ input: { file_path: 'c.txt', content: 'c\n' } }) },
          { name: 'watch', on: 'post_tool', run: () => ({ message: 'seen' }) },
          {
            name: 'last',
            on: 'stop',
            run: () => ((stops += 1) === 1 ? { decision: 'deny', message: 'look again' } : {}),
          },
        ],
      })
      await place.agent.run(task)
      return place
    },
  },
  {
    what: 'texts so long that they are kept apart',
    expected: ['tool.finished'],
    async make() {
      const long = 'A line that is long enough.\n'.repeat(3000)
      const place = await at({
        files: { 'AGENTS.md': `# Rules\n\n# More rules\n${long}`, 'long.txt': long },
        lines: [
          line('One.', call('edit', { file_path: 'long.txt', old_string: long.slice(0, 100), new_string: 'x' })),
          line('Done.'),
        ],
      })
      await place.agent.run(`${task} ${long}`)
      return place
    },
  },
  {
    what: 'a model that writes its calls as text',
    expected: ['calls.recovered'],
    async make() {
      const text = '<tool_call>{"name": "write", "arguments": {"path": "a.txt", "content": "a\\n"}}</tool_call>'
      const place = await at({ config: { nativeTools: false }, lines: [line(text), line('Done.')] })
      await place.agent.run(task)
      return place
    },
  },
  {
    what: 'several turns, a mode that the user set, and instructions that change between them',
    expected: ['session.titled'],
    async make() {
      const place = await at({
        files: { 'AGENTS.md': '# Rules\n\n# Of the house\nBe brief.' },
        lines: [
          line('One.', write('a.txt')),
          line('Done.'),
          line('You are welcome.'),
          line('Nothing.'),
          line('Two.', write('b.txt')),
          line('Done.'),
        ],
      })
      await place.agent.run(task)
      await place.agent.run('thanks')
      await place.workspace.write('AGENTS.md', 'Be very brief.')
      await place.agent.setWorkflowMode('execute')
      await place.agent.explore('What is in a.txt?')
      await place.agent.rename('Two files')
      await place.agent.run('Create b.txt in the workspace root.')
      return place
    },
  },
  {
    what: 'a compaction that the user asked for, and a turn that was taken back',
    expected: ['context.compacted', 'session.rewound'],
    async make() {
      const long = 'What was found out is told at length. '.repeat(300)
      const look = call('read', { file_path: 'long.txt' })
      const place = await at({
        files: { 'long.txt': long },
        config: { limits: { keepLastMessages: 2 } },
        lines: [line('One.', look), line('It is long.'), line('Welcome.'), line('Two.', write('b.txt')), line('Done.')],
      })
      await place.agent.run('Explain what is in long.txt.')
      await place.agent.run('thanks')
      await place.agent.compact('Keep the names.')
      await place.agent.run('Create b.txt in the workspace root.')
      await place.agent.rewind({ toTurn: 1, files: true })
      return place
    },
  },
]

function at(options: SceneOptions): Promise<Scene> {
  // What a replay goes by is that a look found some tree.
  const trees = fromCi ? 'kept' : toldTrees()
  return scene({ statements: 'wanted', trees, environment: quickEnvironment(), ...options })
}

/** Runs the task, and does something as soon as it has come to a certain event. */
async function when(
  { agent }: Scene,
  isTime: (event: SessionEvent) => boolean,
  act: () => Promise<unknown>,
  options: Parameters<Scene['agent']['run']>[1] = {},
): Promise<void> {
  let acted: Promise<unknown> | undefined
  await agent.run(task, {
    ...options,
    onEvent: (event) => {
      if (acted === undefined && 'seq' in event && isTime(event)) acted = act()
    },
  })
  await acted
}
