import { LoaderError } from '@loader/session-core'
import { type WallsAround, wallsAround } from '@loader/workspace'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { type WallsSetting, wallsOptions } from '../settings/walls-settings.ts'

/** Settings that cannot be read are reported by another check. */
function settingOf(places: Places, environment: Console['environment']): WallsSetting | undefined {
  try {
    return loadSettings(places, { environment }).settings.walls
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

/** The walls that a run would use. */
export function wallsIn(places: Places, environment: Console['environment']): WallsAround {
  const options = wallsOptions(settingOf(places, environment))
  return wallsAround({ ...options, root: places.root, variables: environment })
}

/** Tries the walls with a real command, because the system can forbid them even if their programs are installed. */
export async function wallsCheck(places: Places, environment: Console['environment']): Promise<DoctorCheck> {
  const { state, kind, guarantees, why } = await wallsIn(places, environment).state()
  const about = (message: string): DoctorCheck => ({ name: 'walls', state: 'ok', message })
  switch (state) {
    case 'held':
      if (why === undefined) return about(`held by ${kind}: ${guarantees.join(', ')}`)
      return { ...about(`held by ${kind}: ${guarantees.join(', ')}; ${why}`), state: 'note' }
    case 'missing':
      return {
        ...about(`none: ${why ?? 'it is not known why'}. Commands are asked about, and refused headless`),
        state: 'warning',
      }
    case 'off':
      return { ...about('switched off in the settings: commands can do whatever you can'), state: 'warning' }
    default:
      return state satisfies never
  }
}
