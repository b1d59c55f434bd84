import { textsIn } from './input-summary.ts'
import type { CallFacts } from './permit-call.ts'
import { programOf } from './shell/program-name.ts'

/** Why a call must not run under any rules and modes. Only certain cases belong here. */
export function whyForbidden({ input, reach, shell, home, invalid }: CallFacts): string | undefined {
  if (invalid !== undefined) return invalid
  if (textsIn(input).some((text) => text.includes(replacementMark))) {
    return `the input contains ${replacementMark}…], which stands for a secret that was removed; it is not the secret`
  }
  if (shell === undefined || reach !== 'open') return undefined
  const ruin = shell.reading.commands.find(({ words }) =>
    removesEverything(
      words.map(({ value }) => value),
      home,
    ),
  )
  return ruin === undefined ? undefined : `${ruin.text}: it removes everything that you have`
}

/** How the text that replaces a secret begins. An input that contains it would write the mark instead of the secret. */
const replacementMark = '[secret:'

/** Beyond the walls, this guard is the only protection against it. */
function removesEverything([name = '', ...args]: readonly string[], home: string | undefined): boolean {
  if (programOf(name) !== 'rm') return false
  const isRecursive = args.some((argument) => /^(?:-[a-zA-Z]*[rR]|--recursive$)/.test(argument))
  return isRecursive && args.some((argument) => isEverything(argument.replace(/(?<=.)\/+$/, ''), home))
}

function isEverything(path: string, home: string | undefined): boolean {
  return /^(?:\/+\*?|~(?:\/\*)?|"?\$\{?HOME\}?"?(?:\/\*)?)$/.test(path) || path === home || path === `${home}/*`
}
