import * as z from 'zod'
import { documentIn } from '../source/document.ts'
import { Counts, jsonLines } from '../source/json-lines.ts'
import type { SourceFile } from '../source/source-file.ts'
import { blocksOf, textsIn } from './blocks.ts'
import { WholeRecord } from './records.ts'

const About = z.object({ toolUseId: z.string() })

/** The final answer of each subagent, by the call that started it. The rest of their work is not imported. */
export function lastWordsOfOthers({ path, beside }: SourceFile): ReadonlyMap<string, string> {
  const folder = `${path.replace(/^.*[/\\]/, '').replace(/\.jsonl$/, '')}/subagents`
  const words = new Map<string, string>()
  for (const name of beside.list(folder)) {
    const id = /^(.*)\.meta\.json$/.exec(name)?.[1]
    const about = id === undefined ? undefined : aboutIn(beside.open(`${folder}/${name}`))
    const file = about && beside.open(`${folder}/${id}.jsonl`)
    const last = file === undefined ? '' : lastWords(file)
    if (about !== undefined && last !== '') words.set(about.toolUseId, last)
  }
  return words
}

function aboutIn(file: SourceFile | undefined): z.infer<typeof About> | undefined {
  return file && About.safeParse(documentIn(file)).data
}

function lastWords(file: SourceFile): string {
  let last = ''
  for (const { value } of jsonLines(file, new Counts())) {
    const record = WholeRecord.safeParse(value).data
    if (record?.type === 'assistant') last = textsIn(blocksOf(record.message?.content)).trim() || last
  }
  return last
}
