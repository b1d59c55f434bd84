import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { parseAgent, readAgents, readSkills } from '../src/index.ts'
import { readFrontMatter } from '../src/text/front-matter.ts'

const made: string[] = []
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'extensions-')))
  made.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const about = { file: 'reviewer.md', origin: 'project' } as const

function parsed(head: string, body = 'Look closely.') {
  return parseAgent(about, `---\n${head}\n---\n${body}\n`)
}

test('a file written for another agent is read, with its names of tools as they are here', () => {
  const text = [
    'name: code-reviewer',
    'description: Use after a change: looks for mistakes # and tells them',
    'tools: Read, Grep, Edit, mcp__files__read, mcp__files',
    'model: sonnet',
    'color: blue',
    'permissionMode: bypassPermissions',
  ].join('\n')
  expect(parsed(text)).toEqual({
    ok: true,
    agent: {
      ...about,
      name: 'code-reviewer',
      description: 'Use after a change: looks for mistakes',
      tools: ['read', 'grep', 'edit', 'patch', 'files__read', 'mcp__files'],
      model: 'sonnet',
      prompt: 'Look closely.',
      notes: ['permissionMode is left aside: an agent asks as its parent does'],
    },
  })
})

test('descriptions and tools in every form of YAML that such files have', () => {
  const forms = [
    ['description: "Looks: \\"closely\\""', 'Looks: "closely"'],
    [
      'description: "\\U0001F680 Caf\\xE9 \\u2713 \\ud83d\\ude80\\tas PyYAML \\"writes\\" it"',
      '🚀 Café ✓ 🚀\tas PyYAML "writes" it',
    ],
    ["description: 'It''s a look'", "It's a look"],
    ['description: >\n  Looks\n  closely\n\n  twice', 'Looks closely\n\ntwice'],
    ['description: |-\n  Looks\n    closely', 'Looks\n  closely'],
    ['description: Looks\n  closely', 'Looks closely'],
  ]
  for (const [head = '', description] of forms) {
    expect(parsed(`name: a\n${head}\nreach: look`)).toMatchObject({ ok: true, agent: { description, reach: 'look' } })
  }
  const lists = [
    'tools: [Read, "Bash"]',
    'tools:\n  - Read\n  - Bash',
    'tools:\n- Read # to look\n- Bash',
    'tools: Read, Bash',
  ]
  for (const tools of lists) {
    expect(parsed(`name: a\ndescription: d\n${tools}`)).toMatchObject({ ok: true, agent: { tools: ['read', 'bash'] } })
  }
  expect(parsed('name: a\ndescription: d\ntools: []')).toMatchObject({ ok: true, agent: { tools: [] } })
})

test('a file with the line breaks of Windows is read like any other, its last key too', () => {
  const text = '---\nname: a\ndescription: >-\n  Looks\n  closely\ntools: Read, Grep\nreach: look\n---\n\nLook.\n'
  const read = parseAgent(about, text.replaceAll('\n', '\r\n'))
  expect(read).toMatchObject({ ok: true, agent: { tools: ['read', 'grep'], reach: 'look' } })
  expect(read).toEqual(parseAgent(about, text))
})

test('what cannot be read is refused with words, since what it restricts would not be restricted', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['description: d', 'name is missing'],
    ['name: Code Reviewer\ndescription: d', 'name: "Code Reviewer" is not lower-case'],
    ['name: a', 'description is missing'],
    ['name: a\ndescription: d\ntools: Bash(git log:*)', 'tools: Bash(git log:*) is not the name of a tool'],
    ['name: a\ndescription: d\ntools:', 'tools: is empty'],
    ['name: a\ndescription: d\ntools: &x [Read]', 'line 4: tools: & is not read here'],
    ['name: a\ndescription: |2\n    d', 'line 3: description: | is not read here'],
    ['name: a\ndescription: d\ntools: [Read', 'line 4: tools: a list is not closed'],
    ['name: a\ndescription: d\nreach: all', 'reach: "all" is not one of look'],
    ['name: a\nname: b\ndescription: d', 'line 3: the key name is there twice'],
    ['name: a\ndescription: "\\q d"', 'line 3: description: \\q is not read here'],
    ['name: a\ndescription: "d', 'line 3: description: a quote is not closed'],
    ['name: a\ndescription:\n  x: 1', 'description: should be a text'],
  ]
  for (const [head, why] of refused) {
    const read = parsed(head)
    expect([head, read.ok ? 'read' : read.why]).toEqual([head, expect.stringContaining(why)])
  }
  expect(parseAgent(about, 'Look closely.')).toMatchObject({
    ok: false,
    why: expect.stringContaining('no front matter'),
  })
  expect(parsed('name: a\ndescription: d', '')).toMatchObject({
    ok: false,
    why: expect.stringContaining('no text below'),
  })
})

test('every text in quotes is read as it was, and no text makes the reader fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const head = `name: ${JSON.stringify(text)}`
      const read = readFrontMatter(`---\n${head}\n---\nbody`)
      expect(read.kind === 'read' && read.front.keys.get('name')).toBe(text)
    }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('---', '\n', 'name', ':', ' ', '- ', '"', "'", '[', '|', '>', '#', 'x')),
      (parts) => {
        const text = parts.join('')
        expect(['read', 'none', 'unreadable']).toContain(readFrontMatter(text).kind)
        expect(typeof parseAgent(about, `---\n${text}\n---\nbody`).ok).toBe('boolean')
      },
    ),
  )
})

test('a hostile file costs no more than its length', () => {
  const long = 200_000
  const heads = [
    `name: a${' '.repeat(long)}b`,
    `tools: [${'(,'.repeat(long / 2)}]`,
    `metadata:\n  a: b${' '.repeat(long)}c`,
    `name: "${'\\'.repeat(long)}`,
  ]
  for (const head of heads)
    expect(parsed(head)).toMatchObject({ ok: false, why: expect.stringContaining('longer than 32 KiB') })
  for (const head of heads) expect(parsed(head.slice(0, 30_000)).ok).toBe(false)
})

test('a project comes before the user, a link out of it is refused, and a stranger chooses no model', () => {
  const file = (description: string) => `---\nname: look\ndescription: ${description}\nmodel: dear/model\n---\nLook.\n`
  const home = folderWith({ '.claude/agents/look.md': file('mine'), '.claude/agents/broken.md': 'nothing' })
  const root = folderWith({ '.claude/agents/x.md': file('theirs') })
  symlinkSync(join(home, '.claude/agents/look.md'), join(root, '.claude/agents/a.md'))
  const places = { root, config: join(home, 'config'), home }
  const untrusted = readAgents({ ...places, trusted: false })
  expect(untrusted.agents.get('look')).toMatchObject({ description: 'theirs', origin: 'project' })
  expect(untrusted.agents.get('look')?.model).toBeUndefined()
  expect(untrusted.agents.get('look')?.notes).toEqual(['model dear/model is left aside until you trust the project'])
  expect(untrusted.faults.map(({ why }) => why)).toEqual([
    'it is a link that leads out of the project',
    'it has no front matter (--- above name and description)',
  ])
  expect(readAgents({ ...places, trusted: true }).agents.get('look')?.model).toBe('dear/model')
})

test('a link that leads in a circle is no skill and no agent, and takes no other with it', () => {
  const root = folderWith({
    '.claude/skills/notes/SKILL.md': '---\nname: notes\ndescription: Writes notes\n---\nWrite.\n',
    '.claude/skills/circle/README.md': '',
    '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Looks\n---\nLook.\n',
  })
  symlinkSync('SKILL.md', join(root, '.claude/skills/circle/SKILL.md'))
  symlinkSync('around', join(root, '.claude/skills/around'))
  symlinkSync('circle.md', join(root, '.claude/agents/circle.md'))
  expect([...readSkills({ root, config: join(root, 'none') }).skills.keys()]).toEqual(['notes'])
  const { agents, faults } = readAgents({ root, config: join(root, 'none'), trusted: true })
  expect([...agents.keys()]).toEqual(['reviewer'])
  expect(faults).toEqual([{ file: join(root, '.claude/agents/circle.md'), why: 'it cannot be read (ELOOP)' }])
})
