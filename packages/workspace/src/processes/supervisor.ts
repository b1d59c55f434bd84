/** The descriptors between the supervisor and us. Bubblewrap keeps only the first three, and those until it ends. */
export const channel = {
  complaints: 2,
  status: 3,
  namespace: 4,
  lifeline: 5,
  output: 6,
  filter: 7,
  user: 8,
  net: 9,
} as const

/**
 * A shell that runs one command and reports how it ended. It holds these promises:
 *
 * 1. The command starts only after a line on the lifeline, so only while we live and know how to end it.
 * 2. When the lifeline closes, because we died, its process group is killed.
 * 3. The command writes both outputs into one pipe, in order. Node would give it sockets, which programs cannot open
 *    again as /dev/stdout or /dev/stderr.
 * 4. The status gets a line when the command starts and its exit code when it ends, even while processes left behind
 *    still hold the output.
 * 5. It stays until it is killed, so that its process group id cannot be reused before then.
 * 6. Signals that the command sends to its own group do not end it.
 */
const script = `
read -r go <&5 || exit 125
{ trap '' HUP INT QUIT TERM; read -r go <&5; kill -KILL 0; } >/dev/null 2>&1 3>&- 6>&- &
watch=$!
trap : HUP INT QUIT TERM
{ trap : HUP INT QUIT TERM; echo started >&3; "$@" 3>&- 5<&- 6>&-; echo "$?" >&3; } 2>&1 5<&- 6>&- |
  { trap '' HUP INT QUIT TERM; exec cat >&6 3>&- 5<&- 6>&-; }
exec 3>&- 6>&-
while kill -0 "$watch" 2>/dev/null; do wait "$watch"; done
`

export function supervised(shell: string, command: string): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', script, 'sh', shell, '-c', command]
}
