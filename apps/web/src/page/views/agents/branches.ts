import { useEffect, useRef, useState } from 'preact/hooks'
import { type AgentReading, agentsReading, type AgentsReading } from '@loader/readings'
import { readOnce } from '../../connection/read-once.ts'
import type { Source } from '../../connection/source.ts'

/** The agents of an agent; or why they cannot be read. */
type Branch = AgentsReading | string

/** No event of this session tells what a working agent has begun, so its log is read again this often. */
const againMs = 10_000

/** The agents of those agents that can begin some, as far as their sessions have been read. */
export function useBranches(agents: readonly AgentReading[], source: Source | null): ReadonlyMap<string, Branch> {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map())
  /** Those that have ended, and whose session was read since. */
  const settled = useRef(new Set<string>())
  const those = agents.filter(({ mayBegin }) => mayBegin)
  useEffect(() => {
    if (source === null || those.length === 0) return undefined
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAll = async () => {
      for (const { id, standing } of those) {
        if (settled.current.has(id)) continue
        const branch = await readOnce(source, id, stop.signal).then(agentsReading, whyNot)
        if (stop.signal.aborted) return
        if (standing !== 'working') settled.current.add(id)
        setBranches((known) => new Map(known).set(id, branch))
      }
      if (those.some(({ standing }) => standing === 'working')) timer = setTimeout(() => void readAll(), againMs)
    }
    void readAll()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [source, those.map(({ id, standing }) => `${id} ${standing}`).join()])
  return branches
}

function whyNot(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
