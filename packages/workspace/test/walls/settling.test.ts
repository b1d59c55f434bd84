import { chownSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SetAside } from '@loader/workspace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identities } from './identities.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'

const memory = '/dev/shm'
const hasOtherFileSystem = existsSync(memory) && statSync(memory).dev !== statSync(import.meta.dirname).dev

/** What becomes of what a command left at guarded places. */
describe.each(identities)('after a command of $name', ({ runs, owns, skip }) => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(runs)
  })
  afterAll(() => walled[Symbol.asyncDispose]())
  const options = { timeout: 120_000, skip: skip !== undefined }

  const run = async (world: World, command: string, session = world.place.session) =>
    (await walled.run({ place: { ...world.place, session }, reach: 'work', command: world.fill(command) })).setAside

  const became = (all: readonly SetAside[]) =>
    Object.fromEntries(all.map(({ path, became: how }) => [basename(path), how]))

  const left = `mkdir -p .idea/shut && echo x > .idea/shut/file && chmod 000 .idea/shut .idea; ln -s /nowhere .claude; mkfifo .envrc
    perl -e 'mkdir ".fleet"; chdir ".fleet"; for (1..30) { mkdir "d" x 200; chdir "d" x 200 }'
    git init -q sub && git -C sub config core.pager x && chmod 500 sub/.git`

  test.skipIf(!hasOtherFileSystem)('all of it is moved, to another file system as well', options, async () => {
    const session = mkdtempSync(join(memory, 'loader-'))
    if (owns !== 0) chownSync(session, runs, runs)
    for (const place of [undefined, session]) {
      await using world = await World.make(owns)
      const all = await run(world, left, place)
      expect(became(all)).toEqual({
        '.idea': 'kept',
        '.claude': 'kept',
        '.envrc': place === undefined ? 'kept' : 'dropped',
        '.fleet': 'kept',
        config: 'kept',
      })
      expect(readdirSync(world.root)).not.toEqual(expect.arrayContaining(['.fleet']))
      expect(statSync(join(world.root, 'sub/.git')).mode & 0o777).toBe(0o500)
      const claude = all.find(({ path }) => path.endsWith('.claude'))
      expect(readlinkSync(claude?.became === 'kept' ? claude.keptAt : '')).toBe('/nowhere')
    }
    rmSync(session, { recursive: true })
  })

  test('what cannot be moved is named, stands in the way of nothing else, and is moved later', options, async () => {
    await using world = await World.make(owns)
    await run(world, 'true')
    const into = join(world.place.session, 'set-aside')
    rmSync(into, { recursive: true })
    // Nothing can be moved into a link that leads nowhere.
    symlinkSync('/proc/none', into)
    const first = await run(world, 'mkdir .idea; touch .envrc; rm .husky')
    expect(became(first)).toEqual({ '.idea': 'stuck', '.envrc': 'stuck' })
    expect(readlinkSync(join(world.root, '.husky'))).toBe('hooks-real')
    rmSync(into)
    expect(became(await run(world, 'true'))).toEqual({ '.idea': 'kept', '.envrc': 'kept' })
    expect(existsSync(join(world.root, '.idea'))).toBe(false)
  })
})
