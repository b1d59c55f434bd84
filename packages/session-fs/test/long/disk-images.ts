import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type ImageKind = 'ext4' | 'ext4, data=writeback' | 'xfs' | 'btrfs'

interface Recipe {
  readonly system: 'ext4' | 'xfs' | 'btrfs'
  readonly package: string
  readonly megabytes: number
  /** For the file system itself, and for a copy of it. */
  readonly options: readonly [string, string]
}

const recipes: Readonly<Record<ImageKind, Recipe>> = {
  ext4: { system: 'ext4', package: 'e2fsprogs', megabytes: 128, options: ['loop', 'loop'] },
  'ext4, data=writeback': {
    system: 'ext4',
    package: 'e2fsprogs',
    megabytes: 128,
    options: ['loop,data=writeback', 'loop,data=writeback'],
  },
  xfs: { system: 'xfs', package: 'xfsprogs', megabytes: 320, options: ['loop', 'loop,nouuid'] },
  btrfs: { system: 'btrfs', package: 'btrfs-progs', megabytes: 256, options: ['loop', 'loop'] },
}

/** What this machine lacks to cut the power of such a file system, or undefined. */
export function lacks(kind: ImageKind): string | undefined {
  if (process.platform !== 'linux') return 'Linux'
  if (process.getuid?.() !== 0) return 'the rights of root'
  if (!existsSync('/dev/loop-control')) return 'loop devices'
  const systems = readFileSync('/proc/filesystems', 'utf8')
  // The image itself lies on xfs, which can clone a file at one instant.
  for (const { system, package: from } of [recipes.xfs, recipes[kind]]) {
    if (!new RegExp(`\\t${system}\\n`).test(systems)) return `${system} in the kernel`
    if (spawnSync('sh', ['-c', `command -v mkfs.${system}`]).status !== 0) return `mkfs.${system} (package ${from})`
  }
  return undefined
}

/** A file system inside a file, and a folder to mount it at. */
export class DiskImage implements Disposable {
  readonly mounted: string
  readonly #file: string
  #isMounted = false

  private constructor(file: string) {
    this.#file = file
    this.mounted = `${file}.mounted`
    mkdirSync(this.mounted)
  }

  static make(kind: ImageKind, file: string): DiskImage {
    const { system, megabytes, options } = recipes[kind]
    writeFileSync(file, '')
    truncateSync(file, megabytes * 1024 * 1024)
    run(`mkfs.${system}`, '-q', ...(system === 'ext4' ? ['-F'] : ['-f']), file)
    return new DiskImage(file).#mount(options[0])
  }

  /** What would be on the disk if the power went now: everything that the kernel had handed to it, and no more. */
  clone(file: string): void {
    run('cp', '--reflink=always', this.#file, file)
  }

  static open(kind: ImageKind, file: string): DiskImage {
    return new DiskImage(file).#mount(recipes[kind].options[1])
  }

  [Symbol.dispose](): void {
    if (this.#isMounted) run('umount', this.mounted)
    this.#isMounted = false
    rmSync(this.mounted, { recursive: true, force: true })
    rmSync(this.#file, { force: true })
  }

  #mount(options: string): this {
    run('mount', '-o', options, this.#file, this.mounted)
    this.#isMounted = true
    return this
  }
}

/** A folder in which a file can be cloned at one instant, while somebody writes to it. */
export class CloningFolder implements Disposable {
  readonly path: string
  readonly #folder: string

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'loader-images-'))
    this.path = join(this.#folder, 'mounted')
    const file = join(this.#folder, 'image')
    writeFileSync(file, '')
    truncateSync(file, 4 * 1024 ** 3)
    run('mkfs.xfs', '-q', '-f', '-m', 'reflink=1', file)
    mkdirSync(this.path)
    run('mount', '-o', 'loop', file, this.path)
  }

  [Symbol.dispose](): void {
    run('umount', this.path)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
