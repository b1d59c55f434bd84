import { changes, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { fixedWord, type ShellWord } from '../shell/shell-word.ts'
import { outwardReason } from './outward.ts'

/** Subcommands that change the repository at hand and can start its hooks, or that fetch into it. */
const changing = new Set(
  `add am apply archive bisect branch bundle checkout cherry-pick clone commit commit-graph commit-tree fetch
   format-patch fsck gc hash-object init log lfs ls-remote maintenance merge merge-file merge-tree mktag mktree mv notes pull
   read-tree rebase remote repack rerere reset restore revert rm sparse-checkout stash submodule switch tag
   update-index verify-commit verify-tag worktree write-tree checkout-index request-pull`.split(/\s+/),
)

/** A subcommand that is not known to only look. */
export function judgeGitChange(name: string, args: readonly ShellWord[], standing: Standing): Judgement {
  const words = args.map(({ value }) => value)
  const reason = askingReason(name, words)
  if (name === 'clean') return judgeClean(words)
  if (name === 'stash' && words.some((word) => /^(?:-[a-z]*a[a-z]*|--all)$/.test(word))) {
    return { ...judged('danger', 'puts away what is ignored, the sessions themselves included'), sweeps: true }
  }
  if (reason !== undefined) return { ...judged('ask', reason), ...started(name, args) }
  if (!changing.has(name)) return judged('ask', `git ${name} is not known`)
  const place = changes(newFolder(name, args), standing)
  if (place.level !== 'write') return place
  const outward = outwardReason(withoutMessages(args), standing.place)
  if (outward !== undefined) return { ...judged('ask', outward), ...started(name, args) }
  return { ...judged('run', 'changes the repository, and can start its hooks'), ...started(name, args) }
}

function judgeClean(words: readonly string[]): Judgement {
  if (words.some((word) => /^-[a-z]*[xX]/.test(word))) {
    return { ...judged('danger', 'deletes what is ignored, the sessions themselves included'), sweeps: true }
  }
  if (words.some((word) => /^(?:-[a-z]*n[a-z]*|--dry-run)$/.test(word)))
    return judged('run', 'tells what it would delete')
  return judged('ask', 'deletes files that are nowhere else')
}

/** Why a person should be asked, if so. */
function askingReason(name: string, words: readonly string[]): string | undefined {
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word))
  if (always.has(name)) return always.get(name)
  if (words.some((word) => word.includes('::'))) return 'names a transport that can be any program'
  switch (name) {
    case 'reset':
      return has(/^--(?:hard|merge|keep)$/) ? 'throws changes away' : undefined
    case 'checkout':
      if (has(/^(?:--|\.|-f|--force|-p|--ours|--theirs|-B)$/)) return 'throws changes away'
      return words.some((word) => /^[^-].*(?:\/|\.[a-z]\w*)$/i.test(word))
        ? 'may throw the changes of a file away'
        : undefined
    case 'checkout-index':
      return has(/^(?:-[a-z]*f[a-z]*|--force|--prefix.*)$/) ? 'writes files over others' : undefined
    case 'read-tree':
      return has(/^(?:-u|--reset)$/) ? 'throws changes away' : undefined
    case 'rm':
      return has(/^(?:\.|\*|:\/.*)$/) && !has(/^--cached$/) ? 'removes everything' : undefined
    case 'lfs':
      return /^(?:push|install|uninstall)$/.test(words[0] ?? '') ? 'publishes, or changes how git works' : undefined
    case 'maintenance':
      return words[0] === 'run' ? undefined : 'has the system run git from now on'
    case 'restore':
      return has(/^(?:-S|--staged)$/) && !has(/^(?:-W|--worktree)$/) ? undefined : 'throws changes away'
    case 'switch':
      return has(/^(?:-f|--force|--discard-changes|-C|--force-create)$/) ? 'throws changes away' : undefined
    case 'branch':
      return has(/^(?:-[a-z]*[dDfMmCc][a-z]*|--(?:delete|force|move|copy|edit-description).*)$/)
        ? 'deletes or moves a branch'
        : undefined
    case 'tag':
      return has(/^(?:-[a-z]*[dfsu][a-z]*|--(?:delete|force|sign|local-user).*)$/)
        ? 'deletes, moves or signs a tag'
        : undefined
    case 'add':
      return has(/^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/) ? 'adds what is ignored, which may be secret' : undefined
    case 'stash':
      return /^(?:drop|clear)$/.test(words[0] ?? '') ? 'throws changes away' : undefined
    case 'worktree':
      return has(/^(?:remove|prune)$/) ? 'removes a folder' : undefined
    case 'remote':
      return words.length > 0 && words[0] !== 'show' ? 'changes where the repository comes from' : undefined
    case 'reflog':
    case 'gc':
    case 'repack':
      return has(/^(?:expire|delete|drop|write|--prune.*|--aggressive|-[a-z]*[adA].*)$/) ? 'removes history' : undefined
    case 'submodule':
      return has(/^(?:deinit|foreach|set-url)$/) ? 'changes other repositories' : undefined
    case 'notes':
      return has(/^(?:remove|prune)$/) ? 'removes notes' : undefined
    case 'clone':
    case 'init':
    case 'fetch':
    case 'pull':
    case 'ls-remote':
    case 'archive':
    case 'am':
    case 'apply':
    case 'rebase':
    case 'bisect':
      return words.some(namesProgram) ? 'names a program to run, or reaches outside' : undefined
    default:
      return undefined
  }
}

/** Long options may be shortened, and short ones have their values attached. */
function namesProgram(word: string): boolean {
  if (/^-[cux]|^run$/.test(word)) return true
  const name = word.split('=', 1)[0] ?? ''
  return name.length > 4 && programOptions.some((option) => option.startsWith(name))
}

const programOptions = `--config --upload-pack --upload-archive --receive-pack --exec --template --remote --unsafe-paths
  --directory --separate-git-dir --output`.split(/\s+/)

const always: ReadonlyMap<string, string> = new Map([
  ['push', 'publishes to another repository'],
  ['send-email', 'sends mail'],
  ['filter-branch', 'rewrites history'],
  ['filter-repo', 'rewrites history'],
  ['update-ref', 'moves a branch by hand'],
  ['replace', 'replaces history'],
  ['prune', 'removes history'],
  ['credential', 'deals with passwords'],
  ['daemon', 'serves the repository'],
  ['difftool', 'starts a program that the configuration names'],
  ['mergetool', 'starts a program that the configuration names'],
  ['help', 'opens a pager'],
])

/** Commands within the command. */
function started(name: string, args: readonly ShellWord[]): Pick<Judgement, 'starts' | 'scripts'> {
  const [first, ...rest] = args
  if (name === 'bisect' && first?.value === 'run') return { starts: [rest] }
  if (name === 'submodule' && first?.value === 'foreach') {
    return {
      scripts: [
        rest
          .filter(({ value }) => !value.startsWith('--'))
          .map(({ value }) => value)
          .join(' '),
      ],
    }
  }
  if (name !== 'rebase') return {}
  const scripts = args.flatMap(({ value }, index) => {
    if (value === '-x' || value === '--exec') return [args[index + 1]?.value ?? '']
    const attached = /^(?:-x|--exec?=)(.+)$/s.exec(value)?.[1]
    return attached === undefined ? [] : [attached]
  })
  return scripts.length > 0 ? { scripts } : {}
}

/** The folder that a subcommand creates is among these; values of options may be too. */
function newFolder(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const operands = args.filter(({ value }) => !value.startsWith('-'))
  if (name === 'clone') return operands.length > 1 ? operands.slice(1) : [fixedWord('.')]
  if (name === 'init') return operands
  return name === 'worktree' && operands[0]?.value === 'add' ? operands.slice(1) : []
}

/** Text that is written down leads nowhere. */
function withoutMessages(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.filter(({ value }, index) => {
    return !/^(?:-m|--message=)/.test(value) && !/^(?:-[a-zA-Z]*m|--message)$/.test(args[index - 1]?.value ?? '')
  })
}
