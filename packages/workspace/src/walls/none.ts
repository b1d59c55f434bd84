import type { WallsRecord } from '@loader/session-core/coding'
import type { Containment } from '../processes/containment.ts'
import { runCommand } from '../processes/run-command.ts'
import type { Access } from './mount.ts'
import { removeKept } from './session-folders.ts'
import type { Available, EndedWalledCommand, WalledCommand, Walls, WallsPlace } from './walls.ts'

/** No walls: commands can do everything the user can, and every record says so. */
export class NoWalls implements Walls {
  readonly #why: string
  readonly #mend: string | undefined
  readonly #containment: Containment

  constructor(why: string, mend: string | undefined, containment: Containment) {
    this.#why = why
    this.#mend = mend
    this.#containment = containment
  }

  async available(): Promise<Available> {
    return { kind: 'none', why: this.#why, mend: this.#mend }
  }

  async recordFor(): Promise<WallsRecord> {
    return { kind: 'none', guarantees: [], why: this.#why }
  }

  access(path: string): Access {
    return { kind: 'writable', real: path }
  }

  async contain(): Promise<Containment> {
    return this.#containment
  }

  layerOf(): undefined {
    return undefined
  }

  forget({ session }: WallsPlace): void {
    // Left from a time with walls.
    removeKept(session)
  }

  async start(command: WalledCommand): Promise<EndedWalledCommand> {
    const ended = await runCommand({ ...command, containment: this.#containment })
    return { ...ended, walls: await this.recordFor(), setAside: [], layered: [] }
  }
}
