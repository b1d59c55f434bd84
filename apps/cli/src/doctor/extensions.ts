import { readAgents, readSkills } from '@loader/extensions'
import { LoaderError } from '@loader/session-core'
import { counted } from '@loader/readings'
import type { Console } from '../console/console.ts'
import { hooksOfRun } from '../hooks/hooks-of-run.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts'
import { skillPlaces } from '../skills/configured.ts'

/** Hooks, skills and agents of files: what counts, what waits for trust, and what is wrong. Nothing is run. */
export function extensionChecks(places: Places, { environment }: Pick<Console, 'environment'>): DoctorCheck[] {
  const loaded = settingsOf(places, environment)
  if (loaded === undefined) return []
  const inProject = (text: string) => text.replaceAll(`${places.root}/`, '')
  try {
    const { hooks, inert, notes } = hooksOfRun(loaded, places)
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
    // A file of another program, with hooks in it. No run begins without it.
    if (LoaderError.is(error)) return [{ name: 'hooks', state: 'failure', message: inProject(error.message) }]
    throw error
  }
}

function settingsOf(places: Places, environment: Console['environment']): LoadedSettings | undefined {
  try {
    return loadSettings(places, { environment })
  } catch (error) {
    // Another check reports these.
    if (LoaderError.is(error)) return undefined
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
