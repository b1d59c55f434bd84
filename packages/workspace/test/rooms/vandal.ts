/**
 * A program that writes to everything that it finds, in each way that there is, and then takes all of it away. It is told
 * whether the folder that it is in is a mount, which no program can rename.
 */
export function vandal(room: 'mounted' | 'copied'): string {
  return `
find . -name .git -prune -o -type f -print > /tmp/all-$$ 2>/dev/null || exit 1
while read -r file; do
  ln "$file" "$file.hard" 2>/dev/null
  echo appended >> "$file"
  dd if=/dev/zero of="$file" bs=1 count=2 conv=notrunc 2>/dev/null
  truncate -s 5 "$file" 2>/dev/null
  touch -d 2001-01-01 "$file" 2>/dev/null
  chmod 777 "$file" 2>/dev/null
done < /tmp/all-$$
${mapped}
rm -f /tmp/all-$$
echo vandal > .git/config; echo vandal > .git/HEAD; rm -rf .git/objects; echo vandal > .git/index
mv src moved; mv node_modules packages/ 2>/dev/null; mv .git .was
mkdir -p deep/down && chmod 777 deep && echo x > deep/down/file && chmod 000 deep/down deep
ln -s / root-of-all; ln -s .. up; mkfifo pipe 2>/dev/null
cd .. ; ${room === 'mounted' ? 'mv project other; rm -rf project/*' : ''}
cd - >/dev/null; find . -mindepth 1 -maxdepth 1 ! -name deep -exec rm -rf {} + 2>/dev/null
mkdir -p "$(printf 'long%.0s' $(seq 40))"; i=0
while [ $i -lt 40 ]; do n="$(printf 'n%.0s' $(seq 200))"; mkdir "$n" && cd -P "./$n" || break; i=$((i + 1)); done
echo vandal was here`
}

/** Through a mapping of memory, where there is a Python. */
const mapped = `command -v python3 >/dev/null && python3 - <<'PYTHON'
import mmap, os
for folder, _, names in os.walk('.'):
    if '/.git' in folder: continue
    for name in names:
        try:
            with open(os.path.join(folder, name), 'r+b') as file, mmap.mmap(file.fileno(), 0) as memory:
                memory[0:1] = b'!'
                memory.flush()
        except (OSError, ValueError):
            pass
PYTHON`
