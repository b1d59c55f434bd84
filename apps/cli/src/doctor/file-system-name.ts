import { platform } from 'node:os'

export interface FileSystemName {
  readonly name: string
  /** Whether it is on another machine, or other machines may write to it. */
  readonly isShared: boolean
}

/** The numbers of Linux; other systems use different ones. */
const local: Readonly<Record<number, string>> = {
  0xef_53: 'ext4',
  0x58_46_53_42: 'XFS',
  0x91_23_68_3e: 'Btrfs',
  0x2f_c1_2f_c1: 'ZFS',
  0xf2_f5_20_10: 'F2FS',
  0x01_02_19_94: 'tmpfs, in memory: sessions do not survive a restart',
  0x79_4c_76_30: 'overlayfs, as in containers',
}
const shared: Readonly<Record<number, string>> = {
  0x69_69: 'NFS',
  0x51_7b: 'SMB',
  0xff_53_4d_42: 'SMB',
  0xfe_53_4d_42: 'SMB',
  0x00_c3_64_00: 'Ceph',
  0x01_02_19_97: '9P',
  0x78_6f_42_56: 'vboxsf',
  0x65_73_55_46: 'FUSE',
}

export function fileSystemName(type: number, system: string = platform()): FileSystemName {
  if (system !== 'linux') return { name: `as the system has it (${type})`, isShared: false }
  const number = type >>> 0
  const name = shared[number]
  if (name !== undefined) return { name, isShared: true }
  return { name: local[number] ?? `0x${number.toString(16)}`, isShared: false }
}
