import { readSkills } from '@loader/extensions'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import { shortPath } from '../places/short-path.ts'
import type { SkillsOutput } from '../schemas/skills.ts'
import { hanging } from '../screen/hanging.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { isTrusted } from '../settings/trust.ts'
import { skillPlaces } from '../skills/configured.ts'

/** Lists the skills that the model can load, and the files that are none. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { skills, faults } = readSkills(skillPlaces(places))
  const isInert = (origin: 'user' | 'project') => origin === 'project' && !isTrusted(places.config, places.root)
  const why = 'this project is not trusted: loader permissions trust'
  const output: SkillsOutput = {
    skills: [...skills.values()].map(({ name, description, file, origin, allowedTools }) => {
      return {
        name,
        description,
        file,
        origin,
        allowedTools,
        inert: isInert(origin) && allowedTools.length > 0 ? why : null,
      }
    }),
    refused: faults,
  }
  if (given.has('json')) printJson(console, output)
  else
    printLines(console, linesOf(output, places.root, { columns: columnsOf(console), paint: paintFor(given, console) }))
  return 'ok'
}

const none =
  'There are no skills. One is a folder with a SKILL.md, in .agents/skills or .claude/skills, here or at home.'

interface Look {
  readonly columns: number
  readonly paint: Paint
}

function linesOf({ skills, refused }: SkillsOutput, root: string, { columns, paint }: Look): readonly string[] {
  const nothing = skills.length + refused.length === 0
  if (nothing) return hanging('', 0, none, { columns })
  return [
    ...skills.flatMap(({ name, description, file, allowedTools, inert }) => [
      ...hanging(`${paint('bold', name)}  `, name.length + 2, inOneLine(description), { columns, most: 3 }),
      ...hanging('  ', 2, inOneLine(shortPath(file, root)), { columns }),
      ...(allowedTools.length === 0
        ? []
        : hanging(
            '  ',
            2,
            inOneLine(`allows ${allowedTools.join(', ')}${inert === null ? '' : `, which does not count: ${inert}`}`),
            { columns },
          )),
    ]),
    ...refused.flatMap(({ file, why }) =>
      hanging(`${paint('yellow', 'no skill')}  `, 10, inOneLine(`${shortPath(file, root)}: ${why}`), { columns }),
    ),
  ]
}
