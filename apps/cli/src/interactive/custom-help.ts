import { inOneLine } from '@loader/readings'
import { customCommands } from '../custom/find-commands.ts'
import type { Places } from '../places/places.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { hanging } from '../screen/hanging.ts'
import { isTaken } from './slash-commands.ts'

/** The commands of the user and of the project, for `/help`. */
export function customHelp(places: Pick<Places, 'root' | 'config'>, { paint, columns }: LineStyle): readonly string[] {
  const commands = [...customCommands(places).values()]
  if (commands.length === 0) return []
  return [
    '',
    ...commands.flatMap(({ name, hint, description, origin }) => {
      const left = `/${name}${hint === undefined ? '' : ` ${inOneLine(hint)}`}`
      const whose = origin === 'project' ? ' (of this project)' : ''
      const unused = isTaken(name) ? ` (not used here: Loader has its own /${name})` : ''
      const right = `${inOneLine(description)}${whose}${unused}`
      return hanging(`  ${paint('bold', left)}  `, left.length + 4, right, { columns })
    }),
  ]
}
