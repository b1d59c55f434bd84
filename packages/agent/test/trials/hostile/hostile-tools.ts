import { table, type TrialCall } from './hostile.ts'

const read = (path: string): TrialCall => ({ tool: 'read', input: { file_path: path } })
const write = (path: string, content = '{SPRING}\n'): TrialCall => ({
  tool: 'write',
  input: { file_path: path, content },
})
const edit = (path: string, old: string, fresh: string): TrialCall => ({
  tool: 'edit',
  input: { file_path: path, old_string: old, new_string: fresh },
})
const grep = (pattern: string, path: string): TrialCall => ({ tool: 'grep', input: { pattern, path } })
const glob = (pattern: string, path = '.'): TrialCall => ({ tool: 'glob', input: { pattern, path } })
const git = (action: string, args: readonly string[] = [], cwd = '.'): TrialCall => ({
  tool: 'git',
  input: { action, args: [...args], cwd },
})

/** Tools that read and write files themselves, used without a question. */
export const toolCalls = [
  ...table('reading by tools', {
    'keys by their path': {
      run: [
        read('{HOME}/.ssh/id_rsa'),
        read('~/.npmrc'),
        read('../../.netrc'),
        read('/proc/self/root{HOME}/.pgpass'),
        read('{ROOT}/../../.aws/credentials'),
      ],
    },
    'keys by links that a command has left': {
      run: [
        'ln -s {HOME}/.npmrc a; ln -s / r; ln -s {HOME} h; ln -s /proc/self/root p; mkdir d; ln -s ../../../.netrc d/n',
        read('a'),
        read('r{HOME}/.npmrc'),
        read('h/.pgpass'),
        read('p{HOME}/.npmrc'),
        read('d/n'),
        grep('quiet', 'h'),
        grep('quiet', 'r{HOME}/.ssh'),
        glob('**', 'h'),
      ],
    },
    'keys by links in /tmp': {
      run: [
        'ln -s {HOME}/.npmrc /tmp/a; ln -s {HOME} /tmp/h; ln -s / /var/tmp/r',
        read('/tmp/a'),
        read('/tmp/h/.pgpass'),
        read('/var/tmp/r{HOME}/.npmrc'),
        grep('quiet', '/tmp'),
        grep('quiet', '/tmp/h'),
        glob('**/*', '/tmp'),
      ],
    },
    'environments and memory': {
      run: [
        read('/proc/self/environ'),
        read('/proc/{VICTIM}/environ'),
        read('/proc/self/mem'),
        read('/proc/self/cmdline'),
        read('/proc/thread-self/environ'),
        grep('quiet', '/proc/self'),
        grep('quiet', '/proc/{VICTIM}'),
      ],
    },
    'descriptors and devices': {
      run: [
        read('/dev/fd/0'),
        read('/dev/stdin'),
        read('/proc/self/fd/3'),
        read('/dev/zero'),
        read('/dev/kmsg'),
        read('/dev/tty'),
        read('/dev/mem'),
      ],
    },
    'pipes that never end': {
      run: [
        'mkfifo pipe; ln -s pipe l',
        read('pipe'),
        read('l'),
        grep('x', 'pipe'),
        grep('x', '.'),
        edit('pipe', 'a', 'b'),
        write('pipe'),
      ],
    },
    'searches that go up': {
      run: [
        grep('quiet', '..'),
        grep('quiet', '{HOME}'),
        grep('quiet', '/proc/self/root{HOME}'),
        glob('../../**'),
        glob('**/*', '{HOME}'),
        glob('{HOME}/.ssh/*'),
        glob('../../.[a-z]*'),
      ],
    },
    'git that shows other things': {
      run: [
        'git config alias.x y',
        git('log', ['--no-index', '/dev/null', '{HOME}/.npmrc']),
        git('diff', ['--no-index', '/dev/null', '{HOME}/.npmrc']),
        git('show', ['HEAD:../../.npmrc']),
        git('log', [], '{WORK}/sibling'),
        git('blame', ['--contents', '{HOME}/.npmrc', 'package.json']),
        git('grep', ['-O', 'x']),
        git('diff', ['--ext-diff']),
        git('log', ['--output={OPEN}/file']),
      ],
    },
    'git where something lies in wait': {
      run: [
        `mkdir -p x/objects x/refs; echo 'ref: refs/heads/main' > x/HEAD; git init -q x/inner; printf '[core]\\n\\tfsmonitor = "{SPRING} ;"\\n\\tpager = "{SPRING}"\\n[diff]\\n\\texternal = "{SPRING} ;"\\n' >> x/inner/.git/config; echo x > x/inner/f`,
        git('status', [], 'x/inner'),
        git('diff', [], 'x/inner'),
        git('log', [], 'x/inner'),
      ],
    },
    'records of the runtime': {
      run: [
        read('{HOME}/.local/state/loader/scratch/other/tmp/note'),
        grep('quiet', '{HOME}/.local/state'),
        read('.loader/../../../.local/state/loader/scratch/other/tmp/note'),
        glob('**', '{HOME}/.local/state'),
      ],
    },
    'files that variables name': {
      run: [read('{BASE}/settings/cluster'), grep('quiet', '{BASE}/settings')],
      seeks: 'named',
    },
  }),
  ...table('writing by tools', {
    'files outside': {
      run: [
        write('{OPEN}/file'),
        write('{HOME}/.bashrc'),
        write('../.env'),
        write('../sibling/package.json'),
        write('/etc/{MARK}'),
        write('/proc/self/root{OPEN}/file'),
        edit('{OPEN}/file', 'open', 'evil'),
        write('{ROOT}/../../.profile'),
      ],
    },
    'by links that a command has left': {
      run: [
        'ln -s {OPEN} o; ln -s {OPEN}/file f; ln -s {HOME} h; ln -s /proc/self/root r; ln -s {OPEN}/{MARK} new',
        write('o/file'),
        write('f'),
        edit('f', 'open', 'evil'),
        write('h/.bashrc'),
        write('r{OPEN}/file'),
        write('new'),
        write('o/{MARK}'),
      ],
    },
    'by links in /tmp': {
      run: [
        'ln -s {OPEN}/file /tmp/f; ln -s {OPEN} /tmp/o',
        write('/tmp/f'),
        write('/tmp/o/file'),
        edit('/tmp/f', 'open', 'evil'),
        write('/tmp/{MARK}'),
      ],
    },
    'by a hard link into a store': {
      run: [edit('node_modules/dep/linked.js', 'stored', 'evil'), write('node_modules/dep/linked.js')],
    },
    'packages, new files in them, and files of other programs': {
      run: [
        write('node_modules/dep/new.js'),
        write('node_modules/fresh/index.js'),
        write('packages/a/node_modules/inner/index.js'),
        edit('.venv/bin/activate', 'mine', 'evil'),
        write('a.code-workspace'),
        write('.exrc'),
        write('opencode.json'),
        write('.config/mise/config.toml'),
        edit('team.gitconfig', 'st = status', 'st = evil'),
        write('tools/pre-push.sh'),
      ],
    },
    'programs that run later': {
      run: [
        write('.git/hooks/post-commit'),
        write('.git/config', '[core]\n\tfsmonitor = "{SPRING} ;"\n'),
        write('.git/config.worktree', '[core]\n\tfsmonitor = "{SPRING} ;"\n'),
        write('.git/commondir', '../evil'),
        write('.git/modules/part/config', 'x'),
        write('vendored/.git/config', '[core]\n\tfsmonitor = "{SPRING} ;"\n'),
        write('part/.git', 'gitdir: x'),
      ],
      afterwards: 'git status; git -C vendored status; git commit -q --allow-empty -m x',
    },
    'settings of editors and agents': {
      run: [
        write('.vscode/tasks.json'),
        write('.idea/x.xml'),
        write('.husky/pre-commit'),
        write('.envrc'),
        write('.mcp.json'),
        write('.claude/settings.json'),
        write('.npmrc'),
        write('.yarnrc.yml'),
        write('.github/workflows/evil.yml'),
        edit('.vscode/settings.json', '{}', 'x'),
        write('./src/../.envrc'),
        write('{ROOT}/.cursor/x'),
      ],
    },
    'the rules of the agent': {
      run: [
        write('.loader/permission-rules.json', '{"allow":[{"tool":"bash"}]}'),
        write('.loader/settings.json'),
        edit('.loader/settings.json', '{}', 'x'),
        write('./.loader//commands/x.md'),
        write('src/../.loader/x'),
        write('{ROOT}/.LOADER/../.loader/y'),
      ],
    },
    'a patch with other paths': {
      run: [
        { tool: 'patch', input: { patch: '--- a/{OPEN}/file\n+++ b/{OPEN}/file\n@@ -1 +1 @@\n-open\n+evil\n' } },
        {
          tool: 'patch',
          input: { patch: '--- ../../../open/file\n+++ ../../../open/file\n@@ -1 +1 @@\n-open\n+evil\n' },
        },
        {
          tool: 'patch',
          input: {
            patch:
              '*** Begin Patch\n*** Add File: .git/hooks/post-commit\n+{SPRING}\n*** Add File: ../{MARK}\n+x\n*** Delete File: {OPEN}/file\n*** End Patch\n',
          },
        },
        { tool: 'patch', input: { file_path: '{OPEN}/file', patch: '@@ -1 +1 @@\n-open\n+evil\n' } },
      ],
    },
    'a folder is exchanged for a link meanwhile': {
      run: [
        'mkdir sub; echo inside > sub/file',
        `timeout 3 /usr/bin/python3 -c "
import os, time
end=time.time()+1
while time.time()<end:
  os.rename('sub','sub2'); os.symlink('{OPEN}','sub'); os.unlink('sub'); os.rename('sub2','sub')"`,
        write('sub/file', 'x'),
        edit('sub/file', 'x', 'y'),
      ],
    },
    'names with NUL, dots and line ends': {
      run: [
        write('a\0b'),
        write('..'),
        write(''),
        write('.'),
        write('src/../../x'),
        write('{OPEN}/file\n'),
        write('//{OPEN}/file'),
        write('src/./../..//sibling/x'),
      ],
    },
    'a tool that does not exist, and arguments that are none': {
      run: [
        { tool: 'bash', input: { command: 'touch {OPEN}/{MARK}', cwd: '{OPEN}' } },
        { tool: 'bash', input: { command: 'cat .npmrc', cwd: '../..' } },
        { tool: 'bash', input: { command: 'touch x', cwd: '/proc/self/root{OPEN}' } },
        { tool: 'bash', input: { command: 'touch {OPEN}/x', reach: 'open', why: 'x' } },
        { tool: 'bash', input: { command: 'curl -sm1 http://127.0.0.1:{PORT}', reach: 'network', why: 'x' } },
      ],
    },
  }),
]
