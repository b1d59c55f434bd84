import type { Examination, Tool } from '@loader/session-core/coding'
import type { BackgroundCommands } from '@loader/workspace'
import * as z from 'zod'
import { newsOf } from './background/news.ts'

const port = z.int().min(1).max(65535)

const PublishInput = z.object({
  port: port.describe('a port that a background command listens on'),
  host_port: port.optional().describe('the port of this machine, on 127.0.0.1; without it, the same one'),
})
type PublishInput = z.infer<typeof PublishInput>

/** Lets the user reach a port of a background command. It is outside of the walls, so the user is asked. */
export function publishTool(background: BackgroundCommands): Tool<PublishInput> {
  return {
    name: 'publish',
    title: 'Publish a port',
    description:
      'Let the user open a port of a background command at 127.0.0.1 of this machine, such as a page in a browser. The ' +
      'user is asked. You do not need it for yourself: bash and fetch reach the port without it.',
    input: PublishInput,
    aliases: {
      names: ['publish_port', 'expose_port', 'forward_port'],
      arguments: { host_port: ['hostPort', 'local_port'] },
      main: 'port',
    },
    examine: async (input, { sessionId = '' }) => examine(background, input, sessionId),
    async run({ input }, { sessionId = '' }) {
      const { port: wanted, host_port: hostPort = wanted } = input
      const published = await background.publish(sessionId, wanted, hostPort)
      newsOf(background, sessionId)
      if (typeof published === 'string') return { outcome: 'failed', text: `Not published: ${published}.` }
      const text = `Port ${wanted} can be reached at http://127.0.0.1:${published.hostPort} until its command ends.`
      return { outcome: 'ok', text, metadata: { port: wanted, hostPort: published.hostPort } }
    },
  }
}

function examine(background: BackgroundCommands, input: PublishInput, sessionId: string): Examination<PublishInput> {
  const found = background.ports(sessionId).find((each) => each.port === input.port)
  if (found === undefined) {
    const known = background.ports(sessionId).map((each) => each.port)
    const rest = known.length === 0 ? 'None listens on any port.' : `There are: ${known.join(', ')}.`
    return { valid: false, message: `No background command listens on port ${input.port}. ${rest}` }
  }
  if (found.on === 'machine') {
    return {
      valid: false,
      message: `Port ${input.port} is one of this machine already: http://127.0.0.1:${input.port}`,
    }
  }
  const command = background.now(sessionId).find(({ id }) => id === found.id)?.command ?? found.id
  const preview =
    `Publish port ${input.port} of \`${command}\` on this machine, at 127.0.0.1:${input.host_port ?? input.port}: every ` +
    'program and browser of this machine can reach it, until the command ends.'
  return { valid: true, input, effect: 'unknown', reach: 'open', paths: [], intent: [], preview }
}
