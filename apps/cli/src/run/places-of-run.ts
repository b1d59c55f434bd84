import { LoaderError } from '@loader/session-core'
import { isWithin } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { type Places, placesOfSession } from '../places/places.ts'

/** The folders of a run: those of the project whose session it continues. */
export function placesOfRun(given: Given, console: Console): Places {
  const wanted = given.value('resume')
  const places = requireProject(placesOfSession(given, console, wanted), wanted)
  return isWithin(places.root, places.folder) ? places : { ...places, folder: places.root }
}

/** Fails if the project was removed. */
export function requireProject(places: Places, session = '<id>'): Places {
  if (places.standing === 'there') return places
  throw new LoaderError(
    'unsupported',
    `The project of session ${session} is not in ${places.root} any more, so there is nothing to work in. Read the ` +
      `session: loader show ${session}. To go on with what was said, in this project: ` +
      `loader export ${session} --format json -o session.json, then loader import session.json`,
  )
}
