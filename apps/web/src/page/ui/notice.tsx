import type { Hello } from '../../protocol.ts'

/** What has to be known about the page itself, above everything else. */
export function Notice({ hello, problem }: { hello: Hello | null; problem: string | null }) {
  if (problem !== null)
    return (
      <p class="notice tone-bad" role="alert">
        {problem}
      </p>
    )
  if (hello?.transport !== 'plain') return null
  return (
    <p class="notice tone-warn" role="note">
      This connection is not encrypted: others on the network can read along. Put TLS in front of it.
    </p>
  )
}
