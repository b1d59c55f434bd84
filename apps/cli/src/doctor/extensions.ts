import { readAgents, readSkills } from '@loader/extensions'
import { LoaderError } from '@loader/session-core'
import { counted } from '@loader/readings'
import type { Console } from '../console/console.ts'
import { hooksOfRun } from '../hooks/hooks-of-run.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { skillPlaces } from '../skills/configured.ts'

/** Hooks, skills and agents of files: what counts, what waits for trust, and what is wrong. Nothing is run. */
export function extensionChecks(places: Places, { environment }: Pick<Console, 'environment'>): DoctorCheck[] {
  try {
    const loaded = loadSettings(places, { environment })
    const { hooks, inert, notes } = hooksOfRun(loaded, places)
    const inProject = (text: string) => text.replaceAll(`${places.root}/`, '')
    const faults = notes.filter((note) => !note.includes('is not trusted')).map(inProject)
    const { skills, faults: noSkills } = readSkills(skillPlaces(places))
    const { agents, faults: noAgents } = readAgents({ ...skillPlaces(places), trusted: loaded.trusted })
    return [
      ...check('hooks', hooks.length + inert.length, faults, [
        `${counted(hooks.length, 'hook')} run${hooks.length === 1 ? 's' : ''}`,
        ...(inert.length === 0 ? [] : [`${inert.length} of the project wait for trust: loader permissions trust`]),
      ]),
      ...check('skills', skills.size, noSkills.map(inWords).map(inProject), [
        loaded.settings.skills === false
          ? 'switched off'
          : `the model can load ${[...skills.keys()].join(', ') || 'none'}`,
      ]),
      ...check('agents', agents.size, noAgents.map(inWords).map(inProject), [
        `defined: ${[...agents.keys()].join(', ') || 'none'}`,
      ]),
    ]
  } catch (error) {
    // Settings that cannot be read are reported by another check.
    if (LoaderError.is(error)) return []
    throw error
  }
}

function inWords({ file, why }: { readonly file: string; readonly why: string }): string {
  return `${file}: ${why}`
}

/** No line where there is nothing. */
function check(name: string, count: number, faults: readonly string[], said: readonly string[]): DoctorCheck[] {
  if (count + faults.length === 0) return []
  return [{ name, state: faults.length > 0 ? 'warning' : 'ok', message: [...said, ...faults].join('; ') }]
}
