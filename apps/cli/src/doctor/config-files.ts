import { LoaderError } from '@loader/session-core'
import { rulesInForce } from '../permissions/rules-files.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Checks every file that the user or the project may have written, because an invalid one stops a run. */
export function configChecks(places: Places, environment: Readonly<Record<string, string | undefined>>): DoctorCheck[] {
  return [
    understood('settings', () => {
      const { settings, trusted } = loadSettings(places, { environment })
      const model = settings.model === undefined ? 'no model chosen' : `model ${settings.model}`
      return `${model}; the project is ${trusted ? 'trusted' : 'not trusted'}`
    }),
    understood('rules', () => {
      const { rules } = rulesInForce(places, 'trusted')
      return rules.length === 0 ? 'none' : `${rules.length} in all`
    }),
  ]
}

function understood(name: string, look: () => string): DoctorCheck {
  try {
    return { name, state: 'ok', message: look() }
  } catch (error) {
    if (LoaderError.is(error)) return { name, state: 'failure', message: error.message }
    throw error
  }
}
