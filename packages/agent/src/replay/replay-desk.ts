import type { ReplayedSession } from './replayed-session.ts'

/** What the ports of a replay share. */
export interface ReplayDesk {
  readonly session: ReplayedSession
  /**
   * Runs the work of a port. Where the recorded process ended, the loop ends; where the turn was stopped, it is stopped
   * and no answer comes.
   */
  readonly answer: <Answer>(work: () => Answer | Promise<Answer>) => Promise<Answer>
}

export function replayDesk(session: ReplayedSession, stop: () => void): ReplayDesk {
  return {
    session,
    async answer(work) {
      const { upcoming } = session
      if (upcoming === 'end') return session.end()
      if (upcoming.type !== 'stop.requested') return work()
      stop()
      return new Promise(() => {})
    },
  }
}
