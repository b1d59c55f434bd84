import { statfsSync } from 'node:fs'
import type { RecoveryFinding } from '@loader/session-core'
import { codeOf } from './file-errors.ts'

/** Tells what kind of file system a folder lies on, as `statfs` numbers it; undefined where that is not known. */
export type FileSystemType = (directory: string) => number | undefined

/** As Linux numbers them. Other systems number differently, or not at all. */
const networks: Readonly<Record<number, string>> = {
  0x69_69: 'NFS, a network file system',
  0x51_7b: 'SMB, a network file system',
  0xff_53_4d_42: 'SMB, a network file system',
  0xfe_53_4d_42: 'SMB, a network file system',
  0x53_46_41_4f: 'AFS, a network file system',
  0x6b_41_46_53: 'AFS, a network file system',
  0x73_75_72_45: 'Coda, a network file system',
  0x00_c3_64_00: 'Ceph, a network file system',
  0x01_16_19_70: 'GFS2, a file system that machines share',
  0x0b_d0_0b_d0: 'Lustre, a network file system',
  0x74_61_63_6f: 'OCFS2, a file system that machines share',
  0x01_02_19_97: '9P, a folder that machines share',
  0x78_6f_42_56: 'vboxsf, a folder that machines share',
  0x65_73_55_46: 'FUSE, behind which there may be a network',
}

export function systemFileSystemType(directory: string): number | undefined {
  try {
    return statfsSync(directory).type
  } catch (error) {
    // It is asked for a warning's sake alone.
    if (codeOf(error) !== undefined) return undefined
    throw error
  }
}

/** The guarantees that sessions in this folder lack, where it lies on a network. */
export function networkFinding(directory: string, type: number | undefined): RecoveryFinding | undefined {
  const isShare = directory.startsWith('\\\\')
  const name = isShare ? 'a network share' : networks[(type ?? 0) >>> 0]
  if (name === undefined) return undefined
  return {
    what: 'network_file_system',
    message:
      `${directory} is on ${name}. It is not guaranteed that a write survives a power cut: that is up to the server and ` +
      'to how it is mounted. A writer on another machine cannot be asked whether it still lives: it has to be closed ' +
      'there, or taken over. Readers elsewhere may lag behind. Keep sessions on a local disk where you can.',
  }
}
