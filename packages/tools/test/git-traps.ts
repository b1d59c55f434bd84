import { rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainGit, type Repository } from './repository.ts'

/** A repository that is set up to make git run a program, and a call that makes plain git fall for it. */
export interface GitTrap {
  readonly about: string
  readonly set: (repository: Repository) => unknown
  /** Action and arguments, for plain git and for the tool. */
  readonly call: readonly [action: string, ...args: string[]]
}

const setting =
  (key: string, value: (repository: Repository) => string = ({ trap }) => trap) =>
  (repository: Repository) =>
    repository.git('config', key, value(repository))

/** So that git has to look at the content again, and at what filters make of it. */
async function touch({ root }: Repository, path: string): Promise<void> {
  await utimes(join(root, path), 1, 1)
}

async function attribute(repository: Repository, line: string): Promise<void> {
  await repository.write('.gitattributes', `${line}\n`)
  await touch(repository, 'a.txt')
}

/** A commit that claims to be signed, so that git wants to know whether it is. */
function sign({ root, git }: Repository): void {
  const [head = '', ...rest] = git('cat-file', 'commit', 'HEAD').split('\n\n')
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----'
  const commit = `${head}\n${signature}\n\n${rest.join('\n\n')}`
  const id = plainGit(root, ['hash-object', '-t', 'commit', '-w', '--stdin'], commit).trim()
  git('update-ref', 'refs/heads/main', id)
}

async function submoduleWithMonitor(repository: Repository): Promise<void> {
  const { root, trap, git } = repository
  await repository.write('../module/c.txt', 'three\n')
  const module = join(root, '../module')
  plainGit(module, ['init', '-q'])
  plainGit(module, ['add', '.'])
  plainGit(module, ['commit', '-qm', 'Module'])
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', module, 'module')
  git('commit', '-qm', 'Module')
  plainGit(join(root, 'module'), ['config', 'core.fsmonitor', trap])
}

/** A repository that lacks an object and says who has it. */
async function missingObject({ root, trap, git }: Repository): Promise<void> {
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'origin')
  git('config', 'remote.origin.promisor', 'true')
  git('config', 'remote.origin.url', `ext::${trap}`)
  git('config', 'protocol.ext.allow', 'always')
  const id = git('rev-parse', 'HEAD:src/b.txt').trim()
  await rename(join(root, '.git/objects', id.slice(0, 2), id.slice(2)), join(root, '.git/gone'))
}

async function hook(repository: Repository): Promise<void> {
  await symlink(repository.trap, join(repository.root, '.git/hooks/post-index-change'))
  await touch(repository, 'src/b.txt')
}

export const gitTraps: readonly GitTrap[] = [
  { about: 'a file system monitor', set: setting('core.fsmonitor'), call: ['status'] },
  { about: 'a file system monitor, when listing files', set: setting('core.fsmonitor'), call: ['ls-files', '-m'] },
  { about: 'a hook for changes of the index', set: hook, call: ['status'] },
  {
    about: 'a folder of hooks',
    set: async (repository) => {
      await hook(repository)
      const hooks = join(repository.root, 'hooks')
      await rename(join(repository.root, '.git/hooks'), hooks)
      repository.git('config', 'core.hooksPath', hooks)
    },
    call: ['status'],
  },
  { about: 'an external diff', set: setting('diff.external'), call: ['diff'] },
  {
    about: 'a diff driver',
    set: async (repository) => {
      repository.git('config', 'diff.x.command', repository.trap)
      await attribute(repository, '*.txt diff=x')
    },
    call: ['diff'],
  },
  {
    about: 'a text conversion, in a diff',
    set: async (repository) => {
      repository.git('config', 'diff.x.textconv', repository.trap)
      await attribute(repository, '*.txt diff=x')
    },
    call: ['diff'],
  },
  {
    about: 'a text conversion, in a log',
    set: async (repository) => {
      repository.git('config', 'diff.x.textconv', repository.trap)
      await attribute(repository, '*.txt diff=x')
    },
    call: ['log', '-p'],
  },
  {
    about: 'a text conversion, in blame',
    set: async (repository) => {
      repository.git('config', 'diff.x.textconv', repository.trap)
      await attribute(repository, '*.txt diff=x')
    },
    call: ['blame', 'a.txt'],
  },
  {
    about: 'a clean filter, in a diff',
    set: async (repository) => {
      repository.git('config', 'filter.x.clean', repository.trap)
      await attribute(repository, '*.txt filter=x')
    },
    call: ['diff'],
  },
  {
    about: 'a clean filter with a name of dots, in the status',
    set: async (repository) => {
      repository.git('config', 'filter.x.y=z.clean', repository.trap)
      repository.git('config', 'filter.x.y=z.required', 'true')
      await attribute(repository, '*.txt filter=x.y=z')
    },
    call: ['status'],
  },
  {
    about: 'a filter that keeps running',
    set: async (repository) => {
      repository.git('config', 'filter.x.process', repository.trap)
      await attribute(repository, '*.txt filter=x')
    },
    call: ['status'],
  },
  {
    about: 'a filter in a file that the settings include',
    set: async (repository) => {
      const included = join(repository.top, 'included')
      await writeFile(included, `[filter "x"]\n\tclean = ${repository.trap}\n`)
      repository.git('config', 'include.path', included)
      await attribute(repository, '*.txt filter=x')
    },
    call: ['diff'],
  },
  {
    about: 'a signature check that the settings ask for',
    set: (repository) => {
      sign(repository)
      repository.git('config', 'gpg.program', repository.trap)
      repository.git('config', 'log.showSignature', 'true')
    },
    call: ['log'],
  },
  {
    about: 'a signature check in a format that the settings name',
    set: (repository) => {
      sign(repository)
      repository.git('config', 'gpg.program', repository.trap)
      repository.git('config', 'pretty.mine', 'format:%G?')
    },
    call: ['log', '--pretty=mine'],
  },
  { about: 'a monitor in a submodule', set: submoduleWithMonitor, call: ['status'] },
  { about: 'a monitor in a submodule, in a diff', set: submoduleWithMonitor, call: ['diff'] },
  {
    about: 'a merge driver, through merges that are made again',
    set: async (repository) => {
      const { git } = repository
      git('stash', '-q')
      git('checkout', '-qb', 'side', 'HEAD^')
      await repository.write('a.txt', 'side\n')
      git('commit', '-qam', 'Side')
      git('checkout', '-q', 'main')
      git('-c', 'merge.conflictStyle=merge', 'merge', '-q', '-s', 'ours', 'side')
      git('config', 'merge.x.driver', repository.trap)
      git('config', 'log.diffMerges', 'remerge')
      await attribute(repository, '*.txt merge=x')
    },
    call: ['log', '-p', '-m'],
  },
  { about: 'a missing object, to be fetched by a program', set: missingObject, call: ['log', '-p'] },
]
