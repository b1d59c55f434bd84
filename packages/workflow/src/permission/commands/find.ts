import { changeOf, type Judge, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { globMatches } from '../rules/glob.ts'
import { isWorse } from '../shell/level.ts'
import { whereIs } from '../shell/place.ts'
import { mayBeOption, openWord, type ShellWord } from '../shell/shell-word.ts'

const valued = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
   -Btime -Bmin -newer -anewer -cnewer -perm -user -group -uid -gid -maxdepth -mindepth -printf -links -inum -samefile
   -regextype -used -lname -ilname -fstype -context -flags`.split(/\s+/),
)
const plain = new Set(
  `-nouser -nogroup -empty -depth -d -mount -xdev -prune -print -print0 -ls -quit -true -false -not -a -and -o -or -follow
   -readable -writable -executable -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -H -L -P -E -X -x -s -help
   --help -version --version -nowarn -warn`.split(/\s+/),
)
const punctuation = new Set(['!', '(', ')', ','])
const starters = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const writers = new Set(['-fprint', '-fprint0', '-fls', '-fprintf'])

/** `find` looks, unless its expression deletes, writes or starts something. */
export const judgeFind: Judge = (args, standing) => {
  const tops: ShellWord[] = []
  const starts: (readonly ShellWord[])[] = []
  let found: Judgement = judged('probe', 'only looks')
  const worsen = (other: Judgement): void => {
    const isWorst = isWorse(other.level, found.level) || (other.sweeps && !isWorse(found.level, other.level))
    if (isWorst) found = other
  }
  let index = 0
  let narrows = false
  while (index < args.length) {
    const word = args[index++]
    if (word === undefined) break
    const { kind, value } = word
    if (kind !== 'fixed') {
      if (couldAct(word))
        worsen(judged(word.splits ? 'ask' : 'run', `${word.text} could become an action when it runs`))
      tops.push(word)
      continue
    }
    if (starters.has(value)) {
      const end = endOfCommand(args, index)
      const words = args.slice(index, end)
      starts.push(startedWords(words))
      const loose = words.find(({ splits }) => splits)
      if (loose === undefined) worsen(judged('run', `${value} starts a command for what it finds`))
      else worsen(judged('ask', `${loose.text} could become more than one word when it runs`))
      index = end + 1
    } else if (writers.has(value)) {
      const file = args[index++]
      if (value === '-fprintf') index++
      worsen(file === undefined ? judged('ask', `${value} names no file`) : changeOf(file, standing.place))
    } else if (value === '-delete') {
      worsen(deletion(tops, narrows, standing))
    } else if (valued.has(value) || /^-newer[aBcmt][aBcmt]$/.test(value)) {
      narrows ||= !/^-(?:min|max)depth$|^-type$/.test(value)
      const word = args[index++]
      if (word?.splits) worsen(judged('ask', `the value of ${value} could become more than one word`))
      else if (word?.kind === 'glob' && couldAct(word)) worsen(judged('run', `${word.text} could become an action`))
    } else if (!plain.has(value) && !punctuation.has(value)) {
      if (value.startsWith('-')) worsen(judged('ask', `${value} is not known`))
      else tops.push(word)
    }
  }
  return starts.length === 0 ? found : { ...found, starts }
}

/** Whether a word that is not fixed could become an action: a glob only if a file of that name would match it. */
function couldAct(word: ShellWord): boolean {
  if (word.kind === 'open') return mayBeOption(word)
  return mayBeOption(word) && [...starters, ...writers, '-delete'].some((name) => globMatches(word.value, name))
}

function deletion(tops: readonly ShellWord[], narrows: boolean, { place }: Standing): Judgement {
  const everywhere = tops.find((top) => ['/', '~', '/*'].includes(top.value) || whereIs(top, place) === 'system')
  if (everywhere !== undefined) return judged('ruin', `deletes what it finds below ${everywhere.text}`)
  const all = !narrows && (tops.length === 0 || tops.some((top) => whereIs(top, place) === 'top'))
  return { ...judged('ask', 'deletes whatever it finds'), ...(all && { sweeps: true }) }
}

/** Where `-exec …` ends: at `;`, or at `+` behind `{}`. */
function endOfCommand(args: readonly ShellWord[], from: number): number {
  for (let index = from; index < args.length; index++) {
    const { value } = args[index] ?? { value: '' }
    if (value === ';' || (value === '+' && args[index - 1]?.value === '{}')) return index
  }
  return args.length
}

/** What is found begins like the place where the search begins, so it is no option. */
function startedWords(words: readonly ShellWord[]): ShellWord[] {
  return words.map((word) => (word.value.includes('{}') ? openWord(word.text, './') : word))
}
