import { execFileSync } from 'node:child_process'
import { link, mkdir, rename, rm, symlink, unlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import type { Stage } from './stage.ts'

export interface HostilePath {
  readonly about: string
  /** What is put in place before the call is looked at. */
  readonly prepare?: (stage: Stage) => unknown
  readonly path: string | ((stage: Stage) => string)
  /** What is put in place between looking and running. */
  readonly swap?: (stage: Stage) => unknown
  /** It only looks hostile: it means a place in the workspace after all. */
  readonly staysInside?: true
  /** Only changing it would do harm. */
  readonly readable?: true
  /** The path that does what somebody harmless would have wanted. */
  readonly benign: string | ((stage: Stage) => string)
  readonly prepareBenign?: (stage: Stage) => unknown
}

const at = (stage: Stage, ...names: readonly string[]) => join(stage.root, ...names)
const linked = (target: (stage: Stage) => string, name: string) => (stage: Stage) =>
  symlink(target(stage), at(stage, name))
const toInside = linked((stage) => at(stage, 'a'), 'twin')
const outside = (stage: Stage) => stage.outside

const dots: readonly HostilePath[] = [
  { about: '.. out of the workspace', path: '../outside/f', benign: 'a/../f' },
  { about: '.. behind a folder', path: 'a/../../outside/f', benign: 'a/b/../f' },
  { about: './.. out of the workspace', path: './../outside/f', benign: './a/./f' },
  { about: 'as many .. as folders and one more', path: 'a/b/../../../outside/f', benign: 'a/b/../../f' },
  { about: 'doubled slashes between ..', path: 'a//..//..//outside/f', benign: 'a//b//f' },
  { about: '.. behind a folder that is not there', path: 'missing/../../outside/f', benign: 'missing/../f' },
  { about: '.. behind a file', path: 'f/../../outside/f', benign: 'a/../a/f' },
  {
    about: '.. to the top and down again',
    path: ({ outside }) => `${'../'.repeat(40)}${outside}/f`,
    benign: ({ root }) => `${'../'.repeat(40)}${root}/f`,
  },
  {
    about: 'the workspace by its own name, and out of it',
    path: ({ root }) => `../${basename(root)}/../outside/f`,
    benign: ({ root }) => `../${basename(root)}/f`,
  },
  { about: 'an absolute path', path: ({ outside }) => `${outside}/f`, benign: ({ root }) => `${root}/f` },
  {
    about: 'an absolute path with .. in it',
    path: ({ root }) => `${root}/../outside/f`,
    benign: ({ root }) => `${root}/../ws/f`,
  },
  {
    about: 'an absolute path with two slashes',
    path: ({ outside }) => `/${outside}/f`,
    benign: ({ root }) => `/${root}/f`,
  },
  {
    about: 'a neighbour whose name begins with that of the workspace',
    path: ({ root }) => `${root}-other/f`,
    benign: ({ root }) => `${root}/other-f`,
  },
  { about: 'the same neighbour by ..', path: '../ws-other/f', benign: '../ws/f' },
  { about: 'a file in /etc', path: '/etc/hostname-of-nobody', benign: 'etc/hostname' },
]

const links: readonly HostilePath[] = [
  {
    about: 'a link to a folder outside',
    prepare: linked(outside, 'link'),
    path: 'link/f',
    benign: 'twin/f',
    prepareBenign: toInside,
  },
  {
    about: 'a new file behind such a link',
    prepare: linked(outside, 'link'),
    path: 'link/new/f',
    benign: 'twin/new/f',
    prepareBenign: toInside,
  },
  {
    about: 'a link to a file outside',
    prepare: linked((s) => join(s.outside, 'f'), 'link'),
    path: 'link',
    benign: 'twin',
    prepareBenign: linked(() => 'a/f', 'twin'),
  },
  {
    about: 'a link to nothing outside',
    prepare: linked((s) => join(s.outside, 'new'), 'link'),
    path: 'link',
    benign: 'twin',
    prepareBenign: linked(() => 'a/new', 'twin'),
  },
  {
    about: 'a link to nothing in a folder outside that is not there',
    prepare: linked((s) => join(s.outside, 'new/deep'), 'link'),
    path: 'link/f',
    benign: 'twin/f',
    prepareBenign: linked(() => 'new/deep', 'twin'),
  },
  {
    about: 'a relative link',
    prepare: linked(() => '../outside', 'link'),
    path: 'link/f',
    benign: 'twin/f',
    prepareBenign: linked(() => '../ws/a', 'twin'),
  },
  {
    about: 'a link to a link',
    prepare: (s) => linked(() => 'second', 'link')(s).then(() => linked(outside, 'second')(s)),
    path: 'link/f',
    benign: 'twin/f',
    prepareBenign: toInside,
  },
  {
    about: '.. behind a link, which leads out of where the link leads',
    prepare: linked((s) => join(s.outside, 'd'), 'link'),
    path: 'link/../f',
    benign: 'twin/../f',
    prepareBenign: linked(() => 'a/b', 'twin'),
  },
  {
    about: 'a link to the workspace, and .. behind it',
    prepare: linked((s) => s.root, 'link'),
    path: 'link/../outside/f',
    benign: 'twin/a/f',
    prepareBenign: linked((s) => s.root, 'twin'),
  },
  {
    about: 'a link to the top',
    prepare: linked(() => '/', 'link'),
    path: ({ outside }) => `link${outside}/f`,
    benign: ({ root }) => `twin${root}/f`,
    prepareBenign: linked(() => '/', 'twin'),
  },
  {
    about: 'a link to itself',
    prepare: linked(() => 'link', 'link'),
    path: 'link',
    benign: 'twin',
    prepareBenign: linked(() => 'f', 'twin'),
  },
  {
    about: 'two links to each other',
    prepare: (s) => linked(() => 'two', 'one')(s).then(() => linked(() => 'one', 'two')(s)),
    path: 'one/f',
    benign: 'a/f',
  },
  { about: 'a link with a slash behind it', prepare: linked(outside, 'link'), path: 'link/', benign: 'f' },
  {
    about: 'a link behind a link',
    prepare: (s) => symlink(s.outside, at(s, 'a/link')).then(() => toInside(s)),
    path: 'twin/link/f',
    benign: 'twin/f',
    prepareBenign: toInside,
  },
  {
    about: 'another name of a file outside',
    prepare: (s) => link(join(s.outside, 'f'), at(s, 'hard')),
    path: 'hard',
    staysInside: true,
    benign: 'soft',
    prepareBenign: (s) => link(at(s, 'f'), at(s, 'soft')),
  },
]

const records: readonly HostilePath[] = [
  { about: 'a record of the sessions', path: '.loader/settings.json', benign: '.loader-notes/settings.json' },
  { about: 'the folder of the sessions', path: '.loader', benign: 'loader' },
  { about: 'the same folder further down', path: 'a/.loader/rules.json', benign: 'a/.loaders/rules.json' },
  { about: 'the same folder in capitals', path: '.LOADER/settings.json', benign: 'LOADER/settings.json' },
  { about: 'the same folder by ..', path: 'a/../.loader//settings.json', benign: 'a/../.load//settings.json' },
  {
    about: 'the same folder by an absolute path',
    path: ({ root }) => `${root}/.loader/settings.json`,
    benign: ({ root }) => `${root}/loader/settings.json`,
  },
  {
    about: 'a link to that folder',
    prepare: linked(() => '.loader', 'notes'),
    path: 'notes/settings.json',
    benign: 'twin/settings.json',
    prepareBenign: toInside,
  },
  {
    about: 'a link to a record',
    prepare: linked(() => '.loader/settings.json', 'notes'),
    path: 'notes',
    benign: 'twin',
    prepareBenign: linked(() => 'f', 'twin'),
  },
  { about: 'a trailing dot, as Windows ignores it', path: '.loader./settings.json', benign: 'loader./settings.json' },
  { about: 'a trailing space, as Windows ignores it', path: '.loader /settings.json', benign: 'loader /settings.json' },
  {
    about: 'an invisible character, as HFS+ ignores it',
    path: '.loa\u200cder/settings.json',
    benign: '.lo\u200ca/settings.json',
  },
  { about: 'a short name, as Windows makes it', path: 'LOADER~1/settings.json', benign: 'LOADER~/settings.json' },
  {
    about: 'a stream of the folder, as NTFS has it',
    path: '.loader::$INDEX_ALLOCATION/settings.json',
    benign: 'loader-stream/settings.json',
  },
]

const repositories: readonly HostilePath[] = [
  { about: 'a hook of git', path: '.git/hooks/pre-commit', readable: true, benign: '.githooks/pre-commit' },
  {
    about: 'a new hook of git',
    path: '.git/hooks/post-checkout',
    readable: true,
    benign: '.github/hooks/post-checkout',
  },
  { about: 'a hook in capitals', path: '.GIT/HOOKS/pre-commit', readable: true, benign: 'GIT/HOOKS/pre-commit' },
  {
    about: 'a hook of a repository further down',
    path: 'a/.git/hooks/pre-commit',
    readable: true,
    benign: 'a/git/hooks/pre-commit',
  },
  {
    about: 'the configuration of git, which can name commands',
    path: '.git/config',
    readable: true,
    benign: '.gitconfig',
  },
  { about: 'the file that says where the repository is', path: 'sub/.git', readable: true, benign: 'sub/.gitignore' },
  {
    about: 'a link to the hooks',
    prepare: linked(() => '.git/hooks', 'scripts'),
    path: 'scripts/pre-commit',
    readable: true,
    benign: 'twin/pre-commit',
    prepareBenign: toInside,
  },
  {
    about: 'a short name of the repository',
    path: 'git~1/hooks/pre-commit',
    readable: true,
    benign: 'git-1/hooks/pre-commit',
  },
]

const systems: readonly HostilePath[] = [
  { about: 'the environment of this process', path: '/proc/self/environ', benign: 'proc/self/environ' },
  { about: 'the environment of a thread', path: '/proc/thread-self/environ', benign: 'proc/thread-self' },
  { about: 'the environment by number', path: `/proc/${process.pid}/environ`, benign: 'proc/1' },
  {
    about: 'the working folder of this process',
    path: ({ outside }) => `/proc/self/cwd/../../../../../..${outside}/f`,
    benign: 'proc/cwd',
  },
  {
    about: 'the top by way of a process',
    path: ({ outside }) => `/proc/self/root${outside}/f`,
    benign: ({ root }) => `/${root}/f`,
  },
  {
    about: 'the workspace by way of a process',
    path: ({ root }) => `/proc/self/root${root}/f`,
    benign: ({ root }) => `${root}/./f`,
  },
  {
    about: 'a link to the environment',
    prepare: linked(() => '/proc/self/environ', 'link'),
    path: 'link',
    benign: 'twin',
    prepareBenign: linked(() => 'f', 'twin'),
  },
  { about: 'standard input', path: '/dev/stdin', benign: 'dev/stdin' },
  { about: 'an open descriptor', path: '/dev/fd/1', benign: 'dev/fd/1' },
  { about: 'the null device', path: '/dev/null', benign: 'dev/null' },
  { about: 'a device without an end', path: '/dev/zero', benign: 'dev/zero' },
  {
    about: 'a link to a device',
    prepare: linked(() => '/dev/zero', 'link'),
    path: 'link',
    benign: 'twin',
    prepareBenign: linked(() => 'f', 'twin'),
  },
  { about: 'a pipe', prepare: (s) => execFileSync('mkfifo', [at(s, 'pipe')]), path: 'pipe', benign: 'pipe' },
  {
    about: 'a link to a pipe',
    prepare: (s) => {
      execFileSync('mkfifo', [at(s, 'pipe')])
      return symlink('pipe', at(s, 'link'))
    },
    path: 'link',
    benign: 'link',
  },
  { about: 'a socket', prepare: socketAt, path: 'socket', benign: 'socket' },
]

const texts: readonly HostilePath[] = [
  { about: 'no name', path: '', benign: 'f' },
  { about: 'a blank name', path: '   ', benign: 'a b' },
  { about: 'a NUL that cuts the name short', path: 'f\0.txt', benign: 'f.txt' },
  { about: 'a home folder', path: '~/.ssh/authorized_keys', benign: 'home/.ssh/authorized_keys' },
  { about: 'the home folder of somebody', path: '~root/.profile', benign: 'root~/.profile' },
  { about: 'a line break, which would hide the rest of the name', path: 'f\n../outside/f', benign: 'f 2' },
  { about: '.. that is encoded', path: '%2e%2e/outside/f', staysInside: true, benign: '%41/f' },
  { about: '.. with backslashes', path: '..\\outside\\f', staysInside: true, benign: 'a\\f' },
  { about: '.. in wide characters', path: '．．/outside/f', staysInside: true, benign: '．/f' },
  { about: '… of three dots', path: '.../outside/f', staysInside: true, benign: '..f' },
  { about: 'a name that is too long', path: `${'x'.repeat(300)}/../../outside/f`, benign: `${'x'.repeat(200)}/f` },
]

const moves: readonly HostilePath[] = [
  {
    about: 'a file that becomes a link to one outside',
    path: 'a/f',
    swap: (s) => replace(s, 'a/f', join(s.outside, 'f')),
    benign: 'a/f',
  },
  {
    about: 'a folder that becomes a link to one outside',
    path: 'a/f',
    swap: (s) => replace(s, 'a', s.outside),
    benign: 'a/f',
  },
  {
    about: 'a folder further up that becomes a link',
    path: 'a/d/f',
    prepare: (s) => mkdir(at(s, 'a/d')),
    swap: (s) => replace(s, 'a', s.outside),
    benign: 'a/d/f',
  },
  {
    about: 'a folder that was missing and appears as a link',
    path: 'new/f',
    swap: (s) => symlink(s.outside, at(s, 'new')),
    benign: 'new/f',
  },
  {
    about: 'a file that was missing and appears as a link',
    path: 'new',
    swap: (s) => symlink(join(s.outside, 'f'), at(s, 'new')),
    benign: 'new',
  },
  {
    about: 'a file that was missing and appears as a link to nothing',
    path: 'new',
    swap: (s) => symlink(join(s.outside, 'new'), at(s, 'new')),
    benign: 'new',
  },
  {
    about: 'a link that is turned from inside to outside',
    prepare: toInside,
    path: 'twin/f',
    swap: (s) => unlink(at(s, 'twin')).then(() => symlink(s.outside, at(s, 'twin'))),
    benign: 'twin/f',
    prepareBenign: toInside,
  },
  {
    about: 'a link that is turned to the records of the sessions',
    prepare: toInside,
    path: 'twin/settings.json',
    swap: (s) => unlink(at(s, 'twin')).then(() => symlink('.loader', at(s, 'twin'))),
    benign: 'twin/settings.json',
    prepareBenign: toInside,
  },
  {
    about: 'a file that becomes a pipe',
    path: 'a/f',
    swap: (s) => rm(at(s, 'a/f')).then(() => execFileSync('mkfifo', [at(s, 'a/f')])),
    benign: 'a/f',
  },
  {
    about: 'a file that becomes another name of one outside',
    path: 'a/f',
    staysInside: true,
    swap: (s) => rm(at(s, 'a/f')).then(() => link(join(s.outside, 'f'), at(s, 'a/f'))),
    benign: 'a/f',
  },
  {
    about: 'a folder that moves outside and leaves a link',
    path: 'a/b/f',
    swap: (s) => rename(at(s, 'a'), join(s.root, '..', 'moved')).then(() => symlink('../moved', at(s, 'a'))),
    benign: 'a/b/f',
  },
  {
    about: 'the workspace itself, which becomes a link to a folder outside',
    path: 'd/f',
    swap: (s) => rename(s.root, `${s.root}-moved`).then(() => symlink(s.outside, s.root)),
    benign: 'd/f',
  },
]

async function replace(stage: Stage, name: string, target: string): Promise<void> {
  await rename(at(stage, name), at(stage, `${name}-moved`))
  await symlink(target, at(stage, name))
}

async function socketAt(stage: Stage): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(at(stage, 'socket'), resolve))
  // A closed server would remove its socket; a process that ended would not.
  server.unref()
}

export const hostilePaths: readonly HostilePath[] = [
  ...dots,
  ...links,
  ...records,
  ...repositories,
  ...systems,
  ...texts,
  ...moves,
]
