import { readSkills, skillTool } from '@loader/extensions'
import type { SessionState } from '@loader/session-core'
import type { PermissionRule, Tool } from '@loader/session-core/coding'
import { allowedBy } from '../custom/allowed-by.ts'
import type { Places } from '../places/places.ts'
import { skillPlaces } from './configured.ts'

interface SkillsOfRun {
  readonly tools?: readonly Tool[]
  /** Folders of the user that commands have to read for them. */
  readonly readable: readonly string[]
  /** What those allow that were loaded in the turn that is open now. */
  readonly rules: () => readonly PermissionRule[]
}

/** The session that a run works on, as it is now. */
type Working = () => { readonly id: string; readonly state: Pick<SessionState, 'turn'> | null } | undefined

/**
 * The tool for the skills of a run. What a skill allows counts from when it is loaded until the turn ends, and what one of a
 * project allows only when the user trusts the project. A child session that loads one gets no rules from it, and neither
 * does its parent: a child must not get more than it was given.
 */
export function skillsOfRun(
  places: Pick<Places, 'root' | 'config'>,
  working: Working,
  onNote?: (note: string) => void,
): SkillsOfRun {
  const { skills, faults } = readSkills(skillPlaces(places))
  for (const { file, why } of faults) onNote?.(`${file} is no skill: ${why}`)
  if (skills.size === 0) return { readable: [], rules: () => [] }
  let lent: { readonly turnId: string; readonly rules: readonly PermissionRule[] } | undefined
  const rules = () => (lent !== undefined && working()?.state?.turn?.id === lent.turnId ? lent.rules : [])
  const tool = skillTool({
    skills,
    onLoaded: ({ name, ...skill }, { sessionId }) => {
      const { id, state } = working() ?? {}
      const turnId = state?.turn?.id
      if (id !== sessionId || turnId === undefined) return
      const allowed = allowedBy({ ...skill, what: `the skill ${name}` }, places)
      lent = { turnId, rules: [...rules(), ...allowed.rules] }
      for (const note of allowed.notes) onNote?.(note)
    },
  })
  const own = [...skills.values()].filter(({ origin }) => origin === 'user')
  return { tools: [tool], readable: own.map(({ folder }) => folder), rules }
}
