import { localAgent } from '@loader/agent/local'
import type { FileSessionStore } from '@loader/session-fs'
import { projectIn, storeIn } from './store-in.ts'
import { call, line, ScriptedBackend, type ScriptLine, type TemporaryWorkspace } from '@loader/test-harness'

export interface Worked {
  readonly id: string
  readonly store: FileSessionStore
}

const usage = { inputTokens: 1200, outputTokens: 80 }

/** A session in which a task was worked on by a scripted model, with the usual tools and a check. */
export async function workedSession(
  workspace: TemporaryWorkspace,
  {
    title,
    lines = usualLines,
    task = 'Create hello.txt in the workspace root.',
    doneWhen = usualChecks,
  }: Partial<Work> = {},
): Promise<Worked> {
  const store = storeIn(workspace.root)
  const backend = new ScriptedBackend(...lines)
  const config = { permissionMode: 'allow' as const, describeModel: false }
  const options = { backend, projectRoot: workspace.root, project: projectIn(workspace.root), store, config }
  // What is shown of a session has nothing to do with walls, which take longer than the task.
  await using agent = localAgent({ ...options, walls: { use: 'off' }, ...(title !== undefined && { title }) })
  await agent.run(task, { doneWhen })
  return { id: agent.session.id, store }
}

interface Work {
  readonly title: string
  readonly task: string
  readonly lines: readonly ScriptLine[]
  readonly doneWhen: readonly { readonly command: string }[]
}

const usualLines: readonly ScriptLine[] = [
  { ...line('I create the file.', call('write', { file_path: 'hello.txt', content: 'hello\n' })), usage },
  { ...line('The file is written.'), usage },
]
const usualChecks = [{ command: 'grep -q hello hello.txt' }]
