import { LoaderError } from '@loader/session-core'
import { childVariables, livingCommands, programOnPath } from '@loader/workspace'
import { join } from 'node:path'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { kindsOfAgents } from '../settings/kinds-of-agents.ts'
import { isTrusted } from '../settings/trust.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'

/** Whether background commands and pages of the network are offered, and whether what they need is there. */
export function offeredChecks(places: Places, environment: Console['environment']): readonly DoctorCheck[] {
  const { background = false, fetch = false, agent = false } = toolsIn(places, environment) ?? {}
  return [
    backgroundCheck(background, places, environment),
    {
      name: 'fetch',
      state: 'ok',
      message: fetch
        ? 'pages are fetched: each host is asked about, private addresses are refused'
        : 'off: the model fetches no pages. On with --tools fetch, or "tools": { "fetch": true }',
    },
    agentCheck(agent, places),
  ]
}

function agentCheck(agent: NonNullable<NonNullable<Settings['tools']>['agent']>, places: Places): DoctorCheck {
  if (agent === false) {
    const message = 'off: the model gives no tasks to agents. On with --tools agent, or "tools": { "agent": true }'
    return { name: 'agent', state: 'ok', message }
  }
  const { kinds, notes } = kindsOfAgents(places, isTrusted(places.config, places.root))
  const names = kinds.size === 0 ? 'no kinds are defined' : `kinds: ${[...kinds.keys()].join(', ')}`
  if (notes.length > 0) return { name: 'agent', state: 'warning', message: `on; ${names}; ${notes.join('; ')}` }
  return { name: 'agent', state: 'ok', message: `parts of a task go to sessions of their own; ${names}` }
}

function backgroundCheck(
  background: NonNullable<NonNullable<Settings['tools']>['background']>,
  places: Places,
  environment: Console['environment'],
): DoctorCheck {
  const about = (message: string): DoctorCheck => ({ name: 'background', state: 'ok', message })
  const living = livingCommands(join(places.project().folders.folder, 'scratch'))
  const going = living.length === 0 ? '' : `; ${living.length} go on now: loader ps`
  if (background === false) {
    return about(
      `off: nothing outlives its command. On with --tools background, or "tools": { "background": true }${going}`,
    )
  }
  const until = background === 'keep' ? 'until they are stopped' : 'until loader ends'
  const variables = childVariables({ variables: environment })
  if (process.platform === 'linux' && programOnPath('nsenter', variables, places.root) === undefined) {
    const message = `commands go on ${until}, but each with a loopback of its own, since there is no nsenter (util-linux)`
    return { ...about(message), state: 'warning' }
  }
  return about(`commands go on ${until}, and share a loopback with those of their session${going}`)
}

/** Settings that cannot be read are reported by another check. */
function toolsIn(places: Places, environment: Console['environment']): Settings['tools'] {
  try {
    return loadSettings(places, { environment }).settings.tools
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}
