export function killAll(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** Starts children, grandchildren, and some that leave its group: for good, twice over, and without their environment. */
export function familyCommand(sleep: string, options: { readonly forgetful: boolean }): string {
  const members = options.forgetful ? 8 : 7
  return `
    sleep ${sleep} &
    bash -c 'sleep ${sleep} & sleep ${sleep}; true' &
    setsid sleep ${sleep} &
    setsid bash -c 'trap "" TERM HUP; (sleep ${sleep} &) ; sleep ${sleep}; true' &
    setsid bash -c 'nohup setsid sleep ${sleep} >/dev/null 2>&1 &' &
    ${options.forgetful ? `env -i setsid sleep ${sleep} &` : ''}
    until [ "$(grep -Lzxe setsid -e nohup -e env -e grep $(grep -lzx ${sleep} /proc/[0-9]*/cmdline) | wc -l)" -ge ${members} ]
    do sleep 0.02; done 2>/dev/null
    echo ready; wait`
}
