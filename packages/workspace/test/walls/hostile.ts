import type { Guarantee } from '@loader/workspace'

/** A program that tries to get past a guarantee. `{NAME}` stands for a place of the world that it runs in. */
export interface Hostile {
  readonly guarantee: Guarantee
  readonly name: string
  readonly program: string
  /**
   * The wrong wall that it gets through, when that is not the one that is not there at all; `its own test` when it would
   * end that too.
   */
  readonly through?: string
}

const evil = '[core]\\n\\tfsmonitor = "{PWN} ;"\\n'
const repository = (path: string) =>
  `mkdir -p ${path}/objects ${path}/refs/heads; echo 'ref: refs/heads/main' > ${path}/HEAD; printf '${evil}' > ${path}/config`

const keyCalls = `
import ctypes,platform
l=ctypes.CDLL(None)
add,ask,keyctl=(217,218,219) if platform.machine()=='aarch64' else (248,249,250)`

function list(guarantee: Guarantee, programs: Readonly<Record<string, string | readonly [string, string]>>): Hostile[] {
  return Object.entries(programs).map(([name, program]) => {
    if (typeof program === 'string') return { guarantee, name, program }
    return { guarantee, name, program: program[1], through: program[0] }
  })
}

export const hostile: readonly Hostile[] = [
  ...list('files-outside-unwritable', {
    'a shell appends to the profile': 'echo evil >> ~/.bashrc',
    'python writes next to the workspace': `python3 -c "open('{HOME}/other/file','w').write('x')"`,
    'node writes outside': `node -e "require('fs').appendFileSync('{OUT}/file','x')"`,
    'perl unlinks outside': `perl -e 'unlink "{OUT}/file"'`,
    'a link in the workspace leads out': 'ln -s {OUT} src/out && echo x >> src/out/file',
    'a hard link out': 'ln {OUT}/file src/hard && echo x >> src/hard',
    'a folder is moved out': 'mkdir d && mv d {OUT}/d',
    'rights of a file outside': 'chmod 777 {HOME}/.bashrc; chmod 000 {OUT}/file',
    'times of a file outside': 'touch {OUT}/new',
    'through the root of the first process': ['a root that can be written', 'echo x >> /proc/1/root{OUT}/file'],
    'through the folder of the parent':
      'echo x >> /proc/$PPID/root{OUT}/file; echo x >> /proc/self/cwd/../../outside/open/file',
    'make writes outside': 'printf "all:\\n\\techo x >> {OUT}/file\\n" | make -f -',
    'npm runs a script': `npm pkg set scripts.evil='echo x >> {OUT}/file' && npm run evil`,
    'git writes a bundle outside': 'git bundle create {OUT}/b HEAD; git worktree add {OUT}/tree',
    'tar unpacks outside': 'tar cf a.tar src && tar xf a.tar -C {OUT}',
    'a folder is opened, then written below': `python3 -c "
import os
d=os.open('{OUT}',os.O_RDONLY)
f=os.open('file',os.O_WRONLY|os.O_APPEND,dir_fd=d)
os.write(f,b'x')"`,
    'memory is mapped': `python3 -c "
import mmap
f=open('{OUT}/file','r+b')
m=mmap.mmap(f.fileno(),0)
m[0]=90"`,
    'the workspace is renamed': 'cd /; mv {ROOT} {HOME}/gone; mv {HOME}/project {HOME}/gone2',
    'the folder above is renamed': 'mv {HOME} {BASE}/home2; mkdir -p {HOME}/x && echo x > {HOME}/.bashrc',
    'records of sessions are removed':
      'rm -rf {HOME}/.local/state; echo x > {HOME}/.local/state/loader/other-session/log',
    'a program that others run is replaced': 'printf "#!/bin/sh\\ntouch x\\n" > {BASE}/outside/program',
    'a tool on the PATH is replaced': 'echo x > {HOME}/.tool/bin/greet; echo x > {HOME}/.tool/bin/git',
    'git clean and everything else': 'git clean -xdffq; rm -rf {HOME} {OUT}',
    'an extended attribute outside': `python3 -c "import os; os.setxattr('{OUT}/file','user.x',b'1'); open('{OUT}/file','a').write('x')"`,
    'a socket is made outside': `python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('{OUT}/s')"`,
    'a pipe is made outside': 'mkfifo {OUT}/pipe',
  }),
  ...list('guarded-paths', {
    'a hook': 'printf "#!/bin/sh\\n{PWN}\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    'a setting': 'git config core.fsmonitor "{PWN} ;"',
    'settings by hand': `printf '${evil}' >> .git/config`,
    'the git folder is copied': `cp -r .git .new && mv .git .old && mv .new .git && printf '${evil}' >> .git/config`,
    'the git folder is replaced by a file': `${repository('evil')}; rm -rf .git; echo 'gitdir: evil' > .git`,
    'the git folder is renamed by python': `python3 -c "
import os,shutil
shutil.copytree('.git','.b')
os.rename('.git','.a')
os.rename('.b','.git')
open('.git/config','a').write('[core]\\n\\tfsmonitor = \\"{PWN} ;\\"\\n')"`,
    'a common folder is named': `${repository('evil')}; echo ../evil > .git/commondir`,
    'settings of one work tree': `printf '${evil}' > .git/config.worktree; git config extensions.worktreeConfig true`,
    'settings of a nested repository': `printf '${evil}' >> nested/deep/.git/config`,
    'a nested repository is carried along': `mv nested n2; cp -r n2 nested; printf '${evil}' >> nested/deep/.git/config`,
    'the nested git folder is carried along': `mv nested/deep/.git nested/deep/g; cp -r nested/deep/g nested/deep/.git; printf '${evil}' >> nested/deep/.git/config`,
    'a new nested repository': `git init -q sub/new && cd sub/new && git config core.fsmonitor "{PWN} ;"`,
    'a new repository without a work tree': `${repository('looks/harmless')}; printf '[alias]\n\tst = "!{PWN}"\n' >> looks/harmless/config`,
    'a new repository with a hook':
      'git init -q repo; printf "#!/bin/sh\\n{PWN}\\n" > repo/.git/hooks/fsmonitor-watchman; chmod +x repo/.git/hooks/*; git -C repo config core.fsmonitor .git/hooks/fsmonitor-watchman',
    'a new repository through a link': `${repository('evil')}; mkdir l && ln -s ../evil l/.git`,
    'a new repository through a file': `${repository('.git/evil')}; mkdir l && echo 'gitdir: ../.git/evil' > l/.git`,
    'a new repository in an installed package': `${repository('node_modules/evil')}; mkdir l && echo 'gitdir: ../node_modules/evil' > l/.git`,
    'a submodule': `mkdir -p .git/modules sub; ${repository('.git/modules/sub')}; echo 'gitdir: ../.git/modules/sub' > sub/.git`,
    'a work tree': `mkdir -p .git/worktrees/w wt; ${repository('evil')}; echo ../../../evil > .git/worktrees/w/commondir; echo {ROOT}/wt/.git > .git/worktrees/w/gitdir; echo 'ref: refs/heads/main' > .git/worktrees/w/HEAD; echo 'gitdir: ../.git/worktrees/w' > wt/.git`,
    'the link to the hooks': 'rm .husky; mkdir .husky; echo {PWN} > .husky/pre-commit',
    'where the link leads':
      'echo {PWN} > hooks-real/pre-commit; mv hooks-real h2; mkdir hooks-real; echo x > hooks-real/pre-commit',
    'an editor': 'echo x > .vscode/tasks.json; mv .vscode .v; mkdir .vscode; echo x > .vscode/tasks.json',
    'a new editor': 'mkdir .idea; echo x > .idea/workspace.xml',
    direnv: 'echo "{PWN}" > .envrc',
    'another agent': `echo '{}' > .mcp.json; mkdir .claude; echo x > .claude/settings.json`,
    'a skill that allows something':
      'mkdir -p .agents/skills/evil; echo "allowed-tools: WebFetch" > .agents/skills/evil/SKILL.md',
    'the package manager': 'npm config set --location=project registry http://evil; echo x > .yarnrc.yml',
    'continuous integration':
      'echo x > .github/workflows/evil.yml; mv .github .g; mkdir -p .github/workflows; echo x > .github/workflows/evil.yml',
    'the rules of the agent': 'echo x > .loader/permission-rules.json; rm -rf .loader; mv .loader x',
    'a pipe at a guarded place': 'mkfifo .envrc',
    'a folder without rights': 'mkdir -p .idea/x; echo x > .idea/x/y; chmod 000 .idea/x .idea',
    'a link at a guarded place': 'ln -s {OUT} .claude; ln -s src .idea',
    'a rebase that runs something': `git commit -q --allow-empty -m two; printf 'printf "exec false\\nexec {PWN}\\n" > "$1"' > /tmp/todo.sh; GIT_SEQUENCE_EDITOR='sh /tmp/todo.sh' git rebase -qi HEAD~1 || true`,
    'a file is exchanged by a lower mount': [
      'no guards',
      `unshare -Urm sh -c 'umount .git/config; umount -l .git/config; mount --bind src .git/hooks; mount -o remount,rw,bind .git/config; echo "[core]" >> .git/config'; echo "[x]" >> .git/config`,
    ],
    'a bind of the workspace elsewhere': [
      'no guards',
      `unshare -Urm sh -c 'mkdir -p m; mount --bind {ROOT} m || mount --rbind {ROOT} m; echo "[x]" >> m/.git/config'; echo "[x]" >> .git/config`,
    ],
    'an overlay whose upper folder is the git folder': [
      'no guards',
      `unshare -Urm sh -c 'mkdir -p l w m; mount -t overlay o -o lowerdir=l,upperdir=.git,workdir=w,userxattr m; echo "[x]" >> m/config'; echo "[x]" >> .git/config`,
    ],
    'a hard link to a guarded file': 'ln .git/config c && echo "[x]" >> c; ln .npmrc n && echo x >> n',
    'exchanged in one step': `python3 -c "
import ctypes
libc=ctypes.CDLL(None)
open('c','w').write('[x]')
libc.renameat2(-100,b'c',-100,b'.git/config',2)"; printf x > .new; perl -e 'rename ".new", ".git/config"'; mv -f .new .npmrc`,
  }),
  ...list('secrets-hidden', {
    'keys of ssh': 'cat ~/.ssh/id_ed25519; cat {HOME}/.ssh/*',
    'everything in the home folder': `grep -rh s3cr3t {HOME} 2>/dev/null | head -50`,
    'python walks the home folder': `python3 -c "
import os
for d,_,fs in os.walk('{HOME}'):
  for f in fs:
    p=os.path.join(d,f)
    try: print(open(p).read()[:200] if os.path.isfile(p) else '')
    except Exception as e: pass"`,
    'credentials of a tool': 'cat ~/.tool/credentials.toml',
    'the configuration of git': 'git config --list; git config http.extraheader; cat ~/.gitconfig',
    'through a link': 'ln -s {HOME}/.ssh k; cat k/*; cp -rL {HOME}/.aws a; cat a/*',
    'through the root of a process': 'cat /proc/1/root{HOME}/.npmrc /proc/self/root{HOME}/.netrc',
    'records of other sessions': 'cat {HOME}/.local/state/loader/other-session/log',
    'its own environment': [
      'every variable',
      'env; set; printenv; cat /proc/self/environ; python3 -c "import os; print(os.environ)"',
    ],
    'bit by bit': 'for i in $(seq 1 60); do printf %s "$(cut -c$i ~/.ssh/id_ed25519)"; done',
    'through a mount of its own': [
      'no home',
      `unshare -Urm sh -c 'umount {HOME}; umount -l {HOME}; cat {HOME}/.ssh/id_ed25519; mount --bind / /mnt && cat /mnt{HOME}/.ssh/id_ed25519'; cat {HOME}/.ssh/id_ed25519`,
    ],
    'a hard link to a secret': 'ln {HOME}/.npmrc n; cat n',
    'npm shows its configuration': 'npm config ls -l; cat $(npm config get userconfig)',
    'by its number': `python3 -c "
import os
os.chdir('{ROOT}')
os.chdir('..')
print([open(e.path).read() for e in os.scandir('.') if e.is_file()])"`,
  }),
  ...list('network-none', {
    curl: 'curl -sm3 http://127.0.0.1:{PORT}',
    'the shell itself': 'exec 3<>/dev/tcp/127.0.0.1/{PORT} && cat <&3',
    python: `python3 -c "import socket; print(socket.create_connection(('127.0.0.1',{PORT}),3).recv(9))"`,
    node: `node -e "require('net').connect({PORT},'127.0.0.1').on('error',()=>process.exit()).on('data',d=>{console.log(String(d));process.exit()})"`,
    perl: `perl -MIO::Socket::INET -e 'my $s=IO::Socket::INET->new(PeerAddr=>"127.0.0.1:{PORT}",Timeout=>3); print <$s> if $s'`,
    'one packet': `python3 -c "import socket; socket.socket(socket.AF_INET,socket.SOCK_DGRAM).sendto(b'x',('127.0.0.1',{PORT}))"`,
    'an abstract socket': `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect(chr(0)+'{ABS}'); print(s.recv(9))"`,
    'an abstract socket, by socat': 'socat -u ABSTRACT-CONNECT:{ABS} -',
    'the address of this machine': `for a in $(hostname -I 2>/dev/null) $(python3 -c "import socket; print(socket.gethostbyname(socket.gethostname()))"); do curl -sm2 http://$a:{PORT}; done; curl -sm2 http://0.0.0.0:{PORT}`,
    'the network of another process': [
      'no net',
      'nsenter -t 1 -n curl -sm2 http://127.0.0.1:{PORT}; unshare -Urn curl -sm2 http://127.0.0.1:{PORT}; curl -sm2 http://127.0.0.1:{PORT}',
    ],
    'a git remote': 'git ls-remote http://127.0.0.1:{PORT}/x',
    npm: 'npm view x --registry http://127.0.0.1:{PORT} --fetch-retries=0',
    'a daemon, later': `setsid sh -c 'sleep 0.3; curl -sm2 http://127.0.0.1:{PORT}' & sleep 0.6`,
  }),
  ...list('sockets-masked', {
    'a service with a path': 'socat -u UNIX-CONNECT:{SOCK} -',
    'a service in the workspace': `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect('{WSSOCK}'); print(s.recv(9))"`,
    'a service through a link': 'ln -s {SOCK} s; socat -u UNIX-CONNECT:s -',
    'a service by a relative path': `cd {BASE}/outside && curl -sm2 --unix-socket service.sock http://x`,
    'a hard link to the socket': 'ln {WSSOCK} h; socat -u UNIX-CONNECT:h -',
    'an agent in the home folder': 'socat -u UNIX-CONNECT:{HOME}/.agent.sock -',
    'through the root of the first process': [
      'no masks',
      'cd /proc/1/root{BASE}/outside && socat -u UNIX-CONNECT:service.sock -',
    ],
    'a pipe in the workspace':
      'timeout 2 sh -c "echo x > dev.pipe"; ln dev.pipe p; mv dev.pipe q; for p in p q; do timeout 2 sh -c "echo x > $p"; done',
    'the workspace moved away': 'mv dev.sock d2; socat -u UNIX-CONNECT:d2 -',
  }),
  ...list('processes-contained', {
    'a daemon that clears its environment': `setsid env -i /bin/bash -c 'exec -a {MARK} sleep 300' >/dev/null 2>&1 & sleep 0.1; exec env -i /bin/bash -c '(exec -a {MARK} sleep 300) & disown'`,
    'a double fork': `python3 -c "
import os
if os.fork()==0:
  os.setsid()
  if os.fork()==0:
    for i in range(3,20):
      try: os.close(i)
      except OSError: pass
    n=os.open('/dev/null',os.O_RDWR)
    for i in range(3): os.dup2(n,i)
    os.execvpe('bash',['bash','-c','exec -a {MARK} sleep 300'],{'PATH':'/usr/bin:/bin'})"`,
    'a process that ignores signals': `perl -e 'use POSIX; if(!fork){ setsid(); $SIG{$_}="IGNORE" for qw(TERM HUP INT); %ENV=(); if(!fork){ $0="{MARK}"; close STDOUT; close STDERR; sleep 300 } }'`,
    'a namespace of its own': [
      'no pid',
      `unshare -Urpf bash -c 'exec -a {MARK} sleep 300' >/dev/null 2>&1 & setsid env -i /bin/bash -c 'exec -a {MARK} sleep 300' >/dev/null 2>&1 & sleep 0.2`,
    ],
  }),
  ...list('environment-unseen', {
    'the environment of every process': `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'`,
    ps: 'ps auxe; ps -ef; ps eww',
    'python looks at every process': `python3 -c "
import glob
for p in glob.glob('/proc/*/environ'):
  try: print(open(p).read())
  except OSError: pass"`,
    'one process by its number': 'cat /proc/{PID}/environ; xxd /proc/{PID}/environ',
    'a process table of its own': [
      'no pid',
      `unshare -Urmpf --mount-proc sh -c 'cat /proc/*/environ'; unshare -Urm sh -c 'mount -t proc p /mnt; cat /mnt/{PID}/environ'; cat /proc/{PID}/environ`,
    ],
    'signals to others': 'kill -9 {PID}; pkill -9 sleep',
    'signals to everything': ['its own test', 'kill -9 -1'],
  }),
  ...list('calls-filtered', {
    'a socket of a family that no namespace holds, or a ring that opens one': `python3 -c "
import ctypes,socket
for f in range(3,64):
  for t in (1,2,3,5):
    try: f in (10,16) or (socket.socket(f,t,0), print('got {MARK}'))
    except OSError: pass
if ctypes.CDLL(None).syscall(425,4,bytes(256))>=0: print('got {MARK}')"`,
    'a key of the kernel': `python3 -c "${keyCalls}
for k in (-3,-4,-5):
  if l.syscall(keyctl,0,k,1)>0 or l.syscall(add,b'user',b'{MARK}',b'x',1,k)>0: print('got {MARK}')"`,
    'a key that a program outside makes': `python3 -c "${keyCalls}
if l.syscall(ask,b'keyring',b'{MARK}',0,-3)>0 or l.syscall(add,b'keyring',b'{MARK}',0,0,-3)>0: print('got {MARK}')"`,
    'a program with the rights of its owner': 'cp /bin/sh b; chmod 4755 b; chmod u+s b; install -m 4755 /bin/sh c',
    'the same, by python and perl': `cp /bin/sh b; perl -e 'chmod 04755, "b"'; python3 -c "
import os
for f in (lambda: os.chmod('b',0o4755), lambda: os.fchmod(os.open('b',os.O_RDONLY),0o6755)):
  try: f()
  except OSError as e: print(e)"`,
    'a file is made with the rights of its owner': `python3 -c "
import ctypes,os,struct
os.umask(0)
l=ctypes.CDLL(None)
made=os.O_CREAT|os.O_RDWR|os.O_EXCL
def loose():
  f=os.open('.',os.O_TMPFILE|os.O_RDWR,0o4755)
  os.link('/proc/self/fd/%d'%f,'b4',follow_symlinks=True)
def unseen(): l.syscall(437,-100,b'b5',struct.pack('QQQ',made,0o4755,0),24)
for f in (lambda: os.open('b1',made,0o4755), lambda: os.open('b2',made,0o6755,dir_fd=os.open('.',os.O_RDONLY)), lambda: os.mknod('b3',0o104755), loose, unseen, lambda: l.creat(b'b6',0o4755)):
  try: f()
  except OSError as e: print(e)"`,
  }),
  ...list('packages-copy-on-write', {
    'a package is changed': 'echo "evil()" >> node_modules/dep/index.js',
    'a package is added': 'mkdir node_modules/evil; echo x > node_modules/evil/index.js',
    'a package is removed': 'rm -rf node_modules/dep; rm -rf node_modules',
    'the store behind a hard link': 'echo evil >> node_modules/dep/linked.js',
    'the folder is carried along': 'mv node_modules nm; cp -r nm node_modules; echo x >> node_modules/dep/index.js',
    'the layer is taken off': [
      'real packages',
      `unshare -Urm sh -c 'umount node_modules; echo x >> node_modules/dep/index.js'; echo x >> node_modules/dep/index.js`,
    ],
    'npm installs a folder':
      'mkdir p; echo \'{"name":"p2","version":"1.0.0"}\' > p/package.json; npm install --offline ./p; echo x > node_modules/x',
    'memory is mapped': `python3 -c "
import mmap
f=open('node_modules/dep/linked.js','r+b')
m=mmap.mmap(f.fileno(),0)
m[0]=90"`,
  }),
  ...list('own-tmp', {
    'a file in /tmp': 'echo x > /tmp/{MARK}',
    'a file in /var/tmp': 'echo x > /var/tmp/{MARK}',
    'shared memory': 'echo x > /dev/shm/{MARK}',
  }),
]
