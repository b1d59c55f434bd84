import type { Console } from '../console/console.ts'
import { demoAgent } from './demo-agent.ts'
import { secondScript, secondTask } from './demo-script.ts'

/** The process that the demo kills: it resumes the session, works on the second task, and prints each event. */
export async function runDemoChild(root: string, sessionId: string, { stdout }: Console): Promise<void> {
  const agent = await demoAgent(root, secondScript)
  await agent.resumeSession(sessionId)
  const onEvent = (event: object) => void ('seq' in event && stdout.write(`${JSON.stringify(event)}\n`))
  await agent.run(secondTask, { onEvent })
  await agent.close()
}
