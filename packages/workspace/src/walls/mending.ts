import { existsSync, readFileSync } from 'node:fs'
import { textOf } from './entries.ts'

const installers: readonly (readonly [RegExp, string])[] = [
  [/\b(debian|ubuntu)\b/, 'sudo apt-get install bubblewrap'],
  [/\b(fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap'],
]

export interface System {
  readonly platform: string
  /** `ID` and `ID_LIKE` of os-release. */
  readonly families: string
  readonly inContainer: boolean
  readonly restrictsNamespaces: boolean
}

export function thisSystem(): System {
  const families = [...(textOf('/etc/os-release') ?? readOsRelease()).matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].map(
    ([, id]) => id,
  )
  return {
    platform: process.platform,
    families: families.join(' ').replaceAll('"', ''),
    inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    restrictsNamespaces: textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')?.trim() === '1',
  }
}

function readOsRelease(): string {
  return existsSync('/usr/lib/os-release') ? readFileSync('/usr/lib/os-release', 'utf8') : ''
}

/** The shell command that makes walls possible here; undefined when none is known. */
export function mendingLine(system: System, obstacle: 'missing' | 'forbidden'): string | undefined {
  if (system.platform === 'win32') return 'wsl --install'
  if (system.platform !== 'linux') return undefined
  if (obstacle === 'missing') return installers.find(([family]) => family.test(system.families))?.[1]
  if (system.inContainer) {
    return 'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined <image>'
  }
  if (system.restrictsNamespaces) return 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
  return 'sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1'
}
