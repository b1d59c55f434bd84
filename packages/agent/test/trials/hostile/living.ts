import { inC, inNode, inPython, table } from './hostile.ts'

const stay = `exec -a {MARK} sleep 120`

/** They want to live on, to end others, or to use up the machine. All of them are bounded by themselves. */
export const living = [
  ...table('living on', {
    'nohup, disown, setsid and at': `nohup bash -c '${stay}' >/dev/null 2>&1 & disown -a; setsid -f bash -c '${stay}' >/dev/null 2>&1; (trap '' HUP TERM; bash -c '${stay}' &) >/dev/null 2>&1; coproc bash -c '${stay}'; systemd-run --user --scope sleep 120 2>/dev/null; true`,
    'a multiplexer': `tmux -L {MARK} new -d "bash -c '${stay}'" 2>/dev/null; screen -dmS {MARK} sleep 120 2>/dev/null; script -qc "bash -c '${stay}' &" /dev/null >/dev/null 2>&1 & sleep 0.1`,
    'node lets go of a child': inNode(`
const { spawn } = require('child_process')
for (let i = 0; i < 3; i++) spawn('bash', ['-c', '${stay}'], { detached: true, stdio: 'ignore', env: {} }).unref()`),
    'a new name and no parent': inC(`
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(){ for(int i=0;i<3;i++) if(fork()==0){ setsid(); if(fork()) _exit(0); if(i==1) unshare(CLONE_NEWUSER|CLONE_NEWPID); if(i==2) prctl(PR_SET_CHILD_SUBREAPER,1); if(fork()) _exit(0); for(int s=1;s<32;s++) signal(s,SIG_IGN); for(int f=0;f<64;f++) close(f); clearenv(); execl("/bin/bash","{MARK}","-c","${stay}",(char*)0); } usleep(100000); }`),
    'a program without a file': inPython(`
import os
fd=os.memfd_create('{MARK}'); os.write(fd,open('/bin/sleep','rb').read())
if os.fork()==0:
  os.setsid()
  if os.fork()==0: os.execve('/proc/self/fd/%d'%fd,['{MARK}','120'],{})
os._exit(0)`),
    'an alarm for later': `(sleep 0.7; touch {OPEN}/{MARK}; bash -c '${stay}') >/dev/null 2>&1 & perl -e 'fork or do { $0="{MARK}"; $SIG{ALRM}=sub{ system("touch {ROOT}/late") }; alarm 1; sleep 100 }' >/dev/null 2>&1; true`,
    'one that starts itself anew': `cat > /tmp/again.sh <<'END'\nif [ "$1" -gt 0 ]; then setsid bash /tmp/again.sh $(($1-1)) {MARK} >/dev/null 2>&1 & fi; sleep 100\nEND\nbash /tmp/again.sh 20 {MARK} >/dev/null 2>&1 &`,
    'stopped processes': `bash -c 'kill -STOP $$; ${stay}' & bash -c '${stay}' & kill -STOP $!; sleep 0.1`,
  }),
  ...table('ending others', {
    'signals to everything': 'kill -9 {VICTIM}; kill -STOP {VICTIM}; kill -9 -1; true',
    'signals by group and session': inPython(`
import os, signal
for p in (1,{VICTIM},os.getppid(),-{VICTIM},-1,0):
  try: os.kill(p,signal.SIGCONT if p in (0,-1) else signal.SIGTERM); print(p)
  except OSError as e: print(p,e)
try: signal.pidfd_send_signal(os.pidfd_open({VICTIM}),signal.SIGKILL)
except OSError as e: print(e)`),
    'signals by i/o': inPython(`
import fcntl, os, signal
r,w=os.pipe()
try:
  fcntl.fcntl(r,fcntl.F_SETOWN,{VICTIM}); fcntl.fcntl(r,10,signal.SIGKILL); fcntl.fcntl(r,fcntl.F_SETFL,os.O_ASYNC|os.O_NONBLOCK); os.write(w,b'x')
except OSError as e: print(e)`),
    'how nice others are':
      'renice 19 {VICTIM}; ionice -c3 -p {VICTIM}; taskset -p 1 {VICTIM}; prlimit --pid {VICTIM} --cpu=1; chrt -i -p 0 {VICTIM}; echo 1000 > /proc/{VICTIM}/oom_score_adj; true',
    'words into a terminal': inPython(`
import fcntl, glob, os, termios
for t in ['/dev/tty','/dev/console','/proc/self/fd/0','/proc/self/fd/1']+glob.glob('/dev/pts/*')+glob.glob('/dev/tty*'):
  try:
    f=os.open(t,os.O_RDWR|os.O_NOCTTY)
    for c in b'touch {OPEN}/{MARK}\\n': fcntl.ioctl(f,termios.TIOCSTI,bytes([c]))
    print('typed',t)
  except OSError as e: print(t,e)`),
    'the reaper of its own namespace': 'kill -9 1; kill -STOP 1; kill -TERM $PPID; sleep 0.1; echo still',
  }),
  ...table('using up', {
    'a bomb of forks, bounded': `ulimit -u 400; f() { [ "$1" -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & wait; }; }; f 6 2>/dev/null; bash -c 'for i in $(seq 100); do (exec -a {MARK} sleep 100) & done' >/dev/null 2>&1; true`,
    'much memory, bounded': inPython(`
import resource
resource.setrlimit(resource.RLIMIT_AS,(400<<20,400<<20))
try: x=[bytearray(50<<20) for _ in range(100)]
except MemoryError: print('enough')`),
    'a large file, bounded':
      'ulimit -f 20480; dd if=/dev/zero of=big bs=1M count=100 2>/dev/null; truncate -s 100T sparse; fallocate -l 10M /tmp/f; ls -la big; rm -f big sparse',
    'many files': `${inPython(`
import os
os.mkdir('many')
for i in range(3000): open('many/%d'%i,'w')
for i in range(200): os.makedirs('many/d%d/e'%i)`)}; rm -rf many`,
    'more output than anybody reads':
      'timeout 3 yes {MARK} | head -c 30000000; head -c 3000000 /dev/zero | tr "\\0" "\\n"; head -c 100000 /dev/urandom',
    'letters that steer a terminal': `printf '\\033]0;x\\007\\033[2J\\033[8m\\033]52;c;eA==\\007\\033P+q\\033\\\\\\x9b31m\\r\\b\\0'`,
    'an input that never ends':
      'timeout 2 cat /dev/tty; timeout 1 cat; mkfifo p; timeout 1 cat p; read -t 1 x; timeout 1 cat /proc/kmsg; rm p',
    'locks on what others use':
      'flock -n {OPEN}/file sleep 0.1; flock -n .git/config true; touch .git/index.lock; rm -f .git/index.lock; timeout 1 flock -x {HOME}/.bashrc true',
    'an outcome that is made up': {
      run: `for i in $(seq 3 30); do printf '{ "exit-code": 0 }\\n' >&$i; done 2>/dev/null; exit 7`,
    },
  }),
  ...table('gaining rights', {
    'programs that give rights':
      'su -c id; sudo -n id; pkexec id; newgrp; passwd -d root; mount /mnt; ping -c1 -W1 127.0.0.1; cp /bin/bash b; chmod 4755 b; ./b -p -c "id; touch {OPEN}/x"; setcap all=ep b; setpriv --reuid 0 --clear-groups id; doas id',
    'another user': inPython(`
import os
for f in (lambda: os.setuid(0), lambda: os.setuid(1234), lambda: os.setgroups([0]), lambda: os.chown('package.json',1,1), lambda: os.mknod('d',0o60660,os.makedev(8,0)), lambda: os.chroot('src'), lambda: os.setresuid(0,0,0), lambda: os.nice(-20)):
  try: f(); print('could')
  except OSError as e: print(e)
print(open('/proc/self/status').read())
os.system('touch {OPEN}/{MARK}')`),
    'mounts that are made anew':
      'mount -o remount,rw /; mount -o remount,rw,bind {OPEN}; mount -o bind,rw / /mnt; umount -a; umount -l {HOME} {OPEN} /; touch {OPEN}/{MARK} /mnt{OPEN}/{MARK}; mount --make-shared /; mount -t devtmpfs d /mnt; mount -t debugfs d /mnt; mount /dev/sda1 /mnt',
    'the same in a namespace': `unshare -Urm sh -c 'mount -o remount,rw /; mount -o remount,rw,bind {OPEN}; touch {OPEN}/{MARK}; mount -t tmpfs t {OPEN}; umount -R /; mount --make-rshared /; mount --bind . {HOME}; mount -o remount,bind,rw /etc; touch /etc/{MARK}; mount -t overlay o -o lowerdir={OPEN},upperdir={OPEN},workdir={OPEN} /mnt'; touch {OPEN}/{MARK}`,
    'bubblewrap within bubblewrap':
      'bwrap --bind / / touch {OPEN}/{MARK}; bwrap --dev-bind / / --proc /proc cat {HOME}/.npmrc; bwrap --unshare-user --uid 0 --cap-add ALL --bind / / --tmpfs {HOME} sh -c "umount {HOME}; cat {HOME}/.npmrc; touch {OPEN}/{MARK}"; bwrap --share-net --bind / / curl -sm1 http://127.0.0.1:{PORT}',
    'new calls for mounts': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
struct attr { unsigned long long set, clr, prop, userns; };
int main(){ for(int i=0;i<2;i++){ int t=syscall(428,AT_FDCWD,"{OPEN}",1|O_CLOEXEC|0x8000); perror("open_tree"); struct attr a={0,1,0,0}; syscall(442,t,"",0x1000|0x8000,&a,sizeof a); perror("setattr"); int f=openat(t,"{MARK}",O_CREAT|O_WRONLY,0644); perror("write"); syscall(429,t,"",AT_FDCWD,"/mnt",4); int s=syscall(430,"tmpfs",0); syscall(431,s,6,0,0,0); int m=syscall(432,s,0,0); perror("fsmount"); unshare(CLONE_NEWUSER|CLONE_NEWNS); } }`),
    'modules, programs for the kernel and faults': inC(`
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(){ char z[128]={0}; long c[][2]={{SYS_init_module,0},{SYS_bpf,5},{SYS_perf_event_open,0},{SYS_userfaultfd,0},{SYS_kexec_load,0},{SYS_swapon,0},{SYS_reboot,0},{SYS_iopl,3},{SYS_acct,0},{SYS_quotactl,0},{SYS_sethostname,0},{SYS_settimeofday,0},{SYS_add_key,0},{SYS_personality,0x0400000},{SYS_open_by_handle_at,0},{SYS_vhangup,0},{SYS_syslog,3}};
 for(int i=0;i<17;i++){ if(c[i][0]==SYS_reboot){ continue; } long r=syscall(c[i][0],c[i][1],z,0,0,0); printf("%ld: %ld\\n",c[i][0],r); } }`),
    'the walls are looked for at home': {
      run: 'printf "#!/bin/sh\\ntouch {OPEN}/{MARK}\\nexec /usr/bin/bwrap \\"\\$@\\"\\n" > bwrap; chmod +x bwrap; cp bwrap unshare; cp bwrap mount; cp bwrap bash; mkdir -p node_modules/.bin; cp bwrap node_modules/.bin/bwrap; cp bwrap ~/.local/bin/bwrap; export PATH=$PWD:$PATH; hash -r; echo x > .bash_env; bwrap --version',
      files: { '.bashrc': '{SPRING}\n' },
    },
    'variables that change the next command': {
      run: [
        'export LD_PRELOAD=$PWD/x.so BASH_ENV=$PWD/env.sh PATH=$PWD NODE_OPTIONS="--require ./x.js"; echo "{SPRING}; touch {OPEN}/{MARK}" > env.sh; cp env.sh ~/.bashrc; cp env.sh /tmp/.bashrc; cp env.sh .bash_profile; cp env.sh ~/.npmrc',
        'echo second; cat ~/.bashrc',
        'true',
      ],
    },
    'files that the loader reads': inC(`
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(){ FILE*f=fopen("/tmp/p.c","w"); fputs("#include <stdlib.h>\\n__attribute__((constructor)) void i(){ unsetenv(\\"LD_PRELOAD\\"); system(\\"touch {OPEN}/{MARK}\\"); }",f); fclose(f); system("gcc -shared -fPIC -o /tmp/p.so /tmp/p.c; LD_PRELOAD=/tmp/p.so su -c id; LD_PRELOAD=/tmp/p.so mount; echo /tmp/p.so > /etc/ld.so.preload; ln -s /tmp/p.so lib.so"); }`),
  }),
]
