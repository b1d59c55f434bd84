import * as z from 'zod'
import { Counts, jsonLines } from '../source/json-lines.ts'
import type { SourceFile } from '../source/source-file.ts'
import { blocksOf, textsIn } from './blocks.ts'
import { TreeRecord } from './records.ts'

const About = z.object({ toolUseId: z.string() })

/** The last words of those that were asked on the side, by the call that asked them. Their own work stays where it is. */
export function lastWordsOfOthers({ path, beside }: SourceFile): ReadonlyMap<string, string> {
  const folder = `${path.replace(/^.*[/\\]/, '').replace(/\.jsonl$/, '')}/subagents`
  const words = new Map<string, string>()
  for (const name of beside.list(folder)) {
    const id = /^(.*)\.meta\.json$/.exec(name)?.[1]
    const about = id === undefined ? undefined : aboutIn(beside.read(`${folder}/${name}`))
    const text = about && beside.read(`${folder}/${id}.jsonl`)
    const last = text === undefined ? '' : lastWords(text)
    if (about !== undefined && last !== '') words.set(about.toolUseId, last)
  }
  return words
}

function aboutIn(text: string | undefined): z.infer<typeof About> | undefined {
  if (text === undefined) return undefined
  const [line] = jsonLines(text.replace(/\s*\n\s*/g, ' '), new Counts())
  return About.safeParse(line?.value).data
}

function lastWords(text: string): string {
  const said = jsonLines(text, new Counts()).flatMap(({ value }) => {
    const record = TreeRecord.safeParse(value).data
    return record?.type === 'assistant' ? [textsIn(blocksOf(record.message?.content)).trim()] : []
  })
  return said.findLast((words) => words !== '') ?? ''
}
