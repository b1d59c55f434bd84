import type { FilePart, ResultPart } from '../words/message.ts'
import type { AiSdkOutput, AiSdkOutputItem } from './ai-sdk-message.ts'
import { asOptions, optionsOf } from './ai-sdk-options.ts'
import { deniedWithoutReason } from './from-ai-sdk-result.ts'
import { keptForPart } from './kept.ts'
import { copyOf, objectOf, parseJson, type PlainJsonObject } from './plain-json.ts'
import { contentOf, shownIn, type ShownTexts, withNotes } from './shown.ts'

/** The result of a call for the model. Every outcome but `ok` is marked as an error. */
export function outputOf(result: ResultPart, texts: ShownTexts): AiSdkOutput {
  const kept = objectOf(keptForPart('aiSdk', result)['output'])
  const output = result.outcome === 'ok' ? goodOutput(result, kept, texts) : badOutput(result, kept, texts)
  return { ...output, ...asOptions(kept['providerOptions']) }
}

function goodOutput(
  { text, files = [] }: ResultPart,
  { type, foreign }: PlainJsonObject,
  texts: ShownTexts,
): AiSdkOutput {
  const shown = shownIn(texts, text)
  const json = type === 'json' ? parseJson(shown) : undefined
  if (json !== undefined) return { type: 'json', value: copyOf(json) }
  const items = files.flatMap((file) => itemOf(file, texts) ?? [])
  const said = withNotes(
    shown,
    files.filter((file) => contentOf(texts, file) === undefined),
  )
  if (items.length === 0 && type !== 'content') return { type: 'text', value: said }
  const value: AiSdkOutputItem[] = [
    ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
    ...items,
    // Only some versions know these: they have no type here.
    ...(Array.isArray(foreign) ? JSON.parse(JSON.stringify(foreign)) : []),
  ]
  return { type: 'content', value }
}

/** Version 5 has no output type for a denied call, so it is used only for a result that came with it. */
function badOutput(
  { outcome, text, files = [] }: ResultPart,
  { type }: PlainJsonObject,
  texts: ShownTexts,
): AiSdkOutput {
  const shown = shownIn(texts, text)
  if (outcome === 'denied' && type === 'execution-denied') {
    return shown === deniedWithoutReason ? { type } : { type, reason: shown }
  }
  const json = type === 'error-json' ? parseJson(shown) : undefined
  if (json !== undefined) return { type: 'error-json', value: copyOf(json) }
  return { type: 'error-text', value: withNotes(shown, files) }
}

function itemOf(file: FilePart, texts: ShownTexts): AiSdkOutputItem | undefined {
  const { mediaType, name } = file
  const content = contentOf(texts, file)
  if (content === undefined) return undefined
  const isImage = mediaType.startsWith('image')
  const filename = name === undefined ? {} : { filename: name }
  const options = optionsOf(file)
  if ('url' in content) {
    const { url } = content
    return isImage ? { type: 'image-url', url, ...options } : { type: 'file-url', url, mediaType, ...options }
  }
  const data = content.base64
  return isImage
    ? { type: 'image-data', data, mediaType, ...options }
    : { type: 'file-data', data, mediaType, ...filename, ...options }
}
