import type { Tool, ToolAliases } from '@loader/session-core/coding'
import * as z from 'zod'
import { editorNames, file } from './calls/spellings.ts'
import { nearestLines } from './edits/nearest.ts'
import { type MatchedBy, type Replaced, replaceText } from './edits/replace-text.ts'
import { changingTool, type ChangePlan } from './files/changing-tool.ts'
import type { Files } from './files/located.ts'
import { loadText } from './files/load.ts'
import { missingFile } from './files/missing-file.ts'
import { type Place, unwritable } from '@loader/workspace'
import { otherNames } from './write.ts'

const EditInput = z.object({
  file_path: z.string().describe('the file, relative to the workspace or absolute'),
  old_string: z.string().describe('the text to replace, as it stands in the file'),
  new_string: z.string().describe('the text to put in its place'),
  replace_all: z.boolean().default(false).describe('replace every place, instead of exactly one'),
})
export type EditInput = z.infer<typeof EditInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: [
    'edit_file',
    'str_replace',
    'string_replace',
    'replace',
    'replace_in_file',
    'search_replace',
    'replace_string_in_file',
    'file_edit',
    ...editorNames('str_replace'),
  ],
  arguments: {
    file_path: file,
    old_string: ['old_str', 'old_text', 'old', 'search', 'find', 'old_content'],
    new_string: ['new_str', 'new_text', 'new', 'replace', 'replacement', 'new_content'],
    replace_all: ['all', 'global', 'allow_multiple'],
  },
  main: 'file_path',
}

/** The tool `edit`: replaces a text in a file by another. */
export function editTool(files: Files): Tool<EditInput> {
  return changingTool({
    files,
    name: 'edit',
    title: 'Edit a file',
    description:
      'Replace a text in a file by another. old_string must be found at exactly one place, so give enough lines around ' +
      'it, without line numbers; or set replace_all. Where it is not found exactly, white space at the ends of lines is ' +
      'ignored, and the result says so.',
    input: EditInput,
    aliases,
    rule: { names: ['Edit', 'MultiEdit'], takes: 'path' },
    plan: (input, sessionId) => plan({ ...files, sessionId }, input),
  })
}

async function plan(files: Files, { file_path, old_string, new_string, replace_all }: EditInput): Promise<ChangePlan> {
  if (old_string === new_string) return invalid('old_string and new_string are the same, so nothing would change.')
  if (old_string === '') return invalid('old_string is empty. Give the text to replace; to create a file use write.')
  const loaded = await loadText(files, file_path)
  if (loaded.kind === 'refused') return invalid(loaded.why)
  const { place } = loaded
  if (loaded.kind === 'absent') return invalid(`${missingFile(files.root, place)} To create a file use write.`)
  const { file: before } = loaded
  const mark = before.text.startsWith('\ufeff') ? '\ufeff' : ''
  const text = before.text.slice(mark.length)
  const replaced = replaceText(text, {
    wanted: old_string,
    replacement: new_string,
    places: replace_all ? 'all' : 'one',
  })
  if (replaced.kind !== 'replaced') return invalid(whyNot(replaced, place, text, old_string))
  const after = mark + replaced.text
  if (after === before.text) return invalid(`${place.shown} reads like this already, so nothing would change.`)
  const fault = unwritable(after)
  if (fault !== undefined) return invalid(`${place.shown} cannot become this: ${fault}.`)
  const { count, matchedBy, line } = replaced
  const where = count === 1 ? `at line ${line}` : `at ${count} places, the first at line ${line}`
  return {
    kind: 'planned',
    changes: [{ place, before, after }],
    text: [`Edited ${place.shown} ${where}; matched ${ways[matchedBy]}.`, ...otherNames(before)].join(' '),
    metadata: { filePath: place.shown, kind: 'update', replacements: count, matchedBy, line },
  }
}

const ways = {
  exact: 'exactly',
  line_endings: 'exactly but for the line endings, which stay as they were',
  trailing_white_space: 'after ignoring white space at the ends of lines',
  surrounding_white_space: 'after ignoring white space around lines; the new text was indented like the old one',
} satisfies Record<MatchedBy, string>

function whyNot(
  replaced: Exclude<Replaced, { kind: 'replaced' }>,
  { shown, inside }: Place,
  text: string,
  wanted: string,
): string {
  if (replaced.kind === 'ambiguous') {
    const more = replaced.count > replaced.lines.length ? ', …' : ''
    return (
      `old_string is found at ${replaced.count} places in ${shown}, on lines ${replaced.lines.join(', ')}${more}. ` +
      'Add lines around it until there is one, or set replace_all.'
    )
  }
  const message = `old_string is not in ${shown}.`
  if (/^ *\d+\t/m.test(wanted)) {
    return `${message} It contains line numbers, which are not part of the file: leave them out.`
  }
  // The user has not permitted reading outside of the workspace, so no lines of such a file are shown.
  const closest = inside ? nearestLines(text, wanted) : undefined
  if (closest === undefined) return `${message} Read the file again.`
  return `${message} This comes closest:\n${closest}`
}

function invalid(message: string): ChangePlan {
  return { kind: 'invalid', message }
}
