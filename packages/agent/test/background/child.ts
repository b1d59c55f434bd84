import { call, line, ScriptedBackend } from '@loader/test-harness'
import { localAgent } from '../../src/local.ts'
import { offerTools } from '../../src/offer-tools.ts'
import { keeper } from './keeper.ts'
import { startServer } from './server.ts'

// Starts a server in the background, tells of it, and is killed while it waits.
const [, , projectRoot = '', sessionId = '', how = ''] = process.argv
const backend = ScriptedBackend.from([
  line(call('bash', startServer)),
  line(call('background', { action: 'wait', pattern: 'never printed', timeout: 600 })),
])
const offered = offerTools({ background: true, ...(how === 'keep' && { keeper }) })
const agent = localAgent({ backend, projectRoot, sessionId, offered })
await agent.run('Start the server.', {
  onEvent: (event) => {
    if (event.type.startsWith('background.')) process.stdout.write(`${JSON.stringify(event)}\n`)
  },
})
