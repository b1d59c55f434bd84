import { LoaderError, type OpenCall } from '@loader/session-core'
import type { Tool, ToolContext } from '@loader/session-core/coding'
import type { Stage, WorkingSession } from '../stage/stage.ts'

export function openCall(session: WorkingSession, callId: string): OpenCall {
  const open = session.state.turn?.calls.find(({ call }) => call.id === callId)
  if (open !== undefined) return open
  throw new LoaderError('impossible_event', `The open turn has no call ${callId}. Ask for the next move again.`)
}

export function toolFor({ tools }: Stage, name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name)
}

export function contextFor({ session, signal, show }: Stage, callId: string): ToolContext {
  return {
    callId,
    sessionId: session.id,
    signal,
    blobs: session.blobs,
    onOutput: (text) => show({ type: 'delta.output', callId, text }),
  }
}
