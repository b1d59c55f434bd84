import type { ReplayedSession } from './replayed-session.ts'

/** What the ports of a replay work with. */
export interface ReplayDesk {
  readonly session: ReplayedSession
  /**
   * Lets the world answer. Where the process had ended, so does the loop; where the turn had been stopped, it is
   * stopped, and no answer comes.
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
