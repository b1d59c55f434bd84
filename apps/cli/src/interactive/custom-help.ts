import { inOneLine } from '@loader/readings'
import { customCommands } from '../custom/find-commands.ts'
import type { Places } from '../places/places.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { hanging } from '../screen/hanging.ts'

/** The commands of the user and of the project, for `/help`. */
export function customHelp(places: Pick<Places, 'root' | 'config'>, { paint, columns }: LineStyle): readonly string[] {
  const commands = [...customCommands(places).values()]
  if (commands.length === 0) return []
  return [
    '',
    ...commands.flatMap(({ name, hint, description, origin }) => {
      const left = `/${name}${hint === undefined ? '' : ` ${inOneLine(hint)}`}`
      const right = `${inOneLine(description)}${origin === 'project' ? ' (of this project)' : ''}`
      return hanging(`  ${paint('bold', left)}  `, left.length + 4, right, { columns })
    }),
  ]
}
