import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore, ownerOf, Session } from '@loader/session-core'
import type { WorkspaceTree } from '@loader/session-core/coding'
import {
  childVariables,
  findProject,
  LocalTrees,
  type PreparedWorkspace,
  prepareWorkspace,
  programOnPath,
} from '../../src/index.ts'
import { plainGit } from '../plain-git.ts'

/** A machine: a folder for the project, a state folder and a home of its own. */
export interface Machine {
  readonly root: string
  readonly variables: Readonly<Record<string, string>>
}

/** A session whose files are stored with it, and machines that it goes to. */
export async function travellingSession() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'travel-')))
  const store = new MemoryStore()
  let number = 0
  const environment = {
    now: () => '2026-01-01T00:00:00.000Z',
    newId: (prefix: string) => `${prefix}_${(number += 1)}`,
  }
  const session = await Session.open(store, { environment, owner: ownerOf('Agent'), id: 's' })
  const open = ({ root, variables }: Machine) => {
    const git = programOnPath('git', childVariables({ variables }), '/nowhere')
    const { folders } = findProject(root, { variables })
    return new LocalTrees({ root, folder: folders.trees, git, variables: childVariables({ variables }) })
  }
  const take = async (trees: LocalTrees): Promise<WorkspaceTree> => {
    const taken = await trees.take()
    if (taken.kind === 'refused') throw new Error(taken.why)
    return taken.tree
  }
  return {
    base,
    store,
    session,
    /** A machine on which nothing is yet. */
    machine(name: string): Machine {
      const home = join(base, name)
      mkdirSync(home)
      const variables = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        XDG_STATE_HOME: join(home, 'state'),
        XDG_CONFIG_HOME: join(home, 'config'),
        GIT_CONFIG_NOSYSTEM: '1',
      }
      return { root: join(home, 'project'), variables }
    },
    /** Stores the files as they are now, as the agent does after calls. */
    async save(machine: Machine, carry: readonly string[] = [], how: 'whole' | 'without its pack' = 'whole') {
      using trees = open(machine)
      const tree = await take(trees)
      const taken = await trees.packs.pack(tree, { since: session.state.saved, carry })
      if (taken.kind === 'refused') throw new Error(taken.why)
      const observed = {
        type: 'workspace.observed' as const,
        tree: { ...tree, leftOut: [...tree.leftOut] },
        why: 'now',
      }
      if (taken.kind === 'same') {
        await session.append(observed)
        return { tree, bytes: 0, historyBytes: 0, saved: undefined }
      }
      const stored = async (pieces: readonly string[]) => Promise.all(pieces.map((piece) => session.storeText(piece)))
      const { history, saved, pieces } = taken
      await session.append([
        observed,
        {
          type: 'workspace.saved',
          ...saved,
          leftOut: saved.leftOut.map((each) => ({ ...each, names: [...each.names] })),
          place: await trees.packs.place(),
          pack: how === 'whole' ? await stored(pieces) : [],
          ...(history && {
            history: { since: [...history.since], bytes: history.bytes, pack: await stored(history.pieces) },
          }),
        },
      ])
      return { tree, bytes: saved.bytes, historyBytes: history?.bytes ?? 0, saved }
    },
    /** Stores a tree with a name that no tree of files has, as somebody could who may write to the store. */
    async saveForged(machine: Machine, name: string, emptyFolder: string): Promise<string> {
      const { saved } = session.state
      if (saved === undefined) throw new Error('nothing was saved')
      const bare = join(base, `forged-${machine.root.length}`)
      const git = (args: readonly string[], input = '') => plainGit(bare, args, input).trim()
      mkdirSync(bare)
      git(['init', '-q', '--bare'])
      const blob = git(['hash-object', '-w', '--stdin'], 'bad')
      const entry = (mode: string, of: string, id: string) =>
        Buffer.concat([Buffer.from(`${mode} ${of}\0`), Buffer.from(id, 'hex')])
      // A link, and a folder of the same name: what lies in it would be written through the link.
      writeFileSync(join(bare, 'inner'), entry('100644', 'file', blob))
      const inner = git(['hash-object', '-w', '-t', 'tree', 'inner'])
      const link = git(['hash-object', '-w', '--stdin'], base)
      const both = Buffer.concat([entry('120000', 'a', link), entry('40000', 'a', inner)])
      writeFileSync(join(bare, 'tree'), name === 'through a link' ? both : entry('100644', name, blob))
      const tree = git(['hash-object', '-w', '-t', 'tree', '--literally', 'tree'])
      const rest = git(['hash-object', '-w', '--stdin'], emptyFolder === '' ? '' : `empty\0${emptyFolder}\0\0`)
      const commit = git(['commit-tree', '-m', 'forged', tree])
      const ids = [commit, tree, blob, inner, link, rest].map((id) => `${id}\n`).join('')
      const args = ['pack-objects', '-q', '--stdout']
      const pack = execFileSync('git', args, { cwd: bare, input: ids, stdio: ['pipe', 'pipe', 'ignore'] })
      using trees = open(machine)
      await session.append([
        { type: 'workspace.observed', tree: { id: tree, rest, leftOut: [] }, why: 'now' },
        {
          type: 'workspace.saved',
          tree,
          rest,
          commit,
          leftOut: [],
          bytes: pack.length,
          place: await trees.packs.place(),
          pack: [pack.toString('base64')],
        },
      ])
      return tree
    },
    /** Prepares the folder of a machine, and goes on there, as the agent does. */
    async go(machine: Machine, options: { readonly replace?: boolean } = {}): Promise<PreparedWorkspace & Machine> {
      const prepared = await prepareWorkspace({
        store,
        sessionId: 's',
        folder: machine.root,
        variables: machine.variables,
        ...options,
      })
      const there = { ...machine, root: prepared.root }
      if (prepared.kind !== 'prepared') return { ...prepared, ...there }
      using trees = open(there)
      const tree = await take(trees)
      const { place } = session.state
      if (place === undefined) throw new Error('the session was nowhere before')
      await session.append({
        type: 'workspace.prepared',
        place: await trees.packs.place(),
        from: { id: place.id, root: place.root, machine: place.machine },
        tree: { id: tree.id, rest: tree.rest, leftOut: [] },
        missing: prepared.missing.map((each) => ({ ...each, names: [...each.names] })),
      })
      return { ...prepared, ...there }
    },
    async treeOf(machine: Machine): Promise<string> {
      using trees = open(machine)
      return (await take(trees)).id
    },
    async [Symbol.asyncDispose]() {
      await session.close()
      if (existsSync(base)) rmSync(base, { recursive: true, force: true })
    },
  }
}
