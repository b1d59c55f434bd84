import { LoaderError, type OpenCall } from '@loader/session-core'
import type { Tool, ToolContext } from '@loader/session-core/coding'
import type { Stage, WorkingSession } from '../stage/stage.ts'

export function openCall(session: WorkingSession, callId: string): OpenCall {
  const open = session.state.turn?.calls.find(({ call }) => call.id === callId)
  if (open !== undefined) return open
  throw new LoaderError('impossible_event', `The open turn has no call ${callId}. Ask for the next step again.`)
}

export function toolFor({ tools }: Stage, name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name)
}

export function contextFor({ session, signal, show }: Stage, callId: string): ToolContext {
  const { images, documents } = session.state.policy?.model ?? {}
  return {
    callId,
    sessionId: session.id,
    signal,
    blobs: session.blobs,
    model: { ...(images !== undefined && { images }), ...(documents !== undefined && { documents }) },
    onOutput: (text) => show({ type: 'delta.output', callId, text }),
  }
}
