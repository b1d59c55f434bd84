import { codeParts } from './code-colours.ts'

/** Code with its colours. */
export function CodeWords({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <>
      {codeParts(text, language).map(({ kind, part }, index) =>
        kind === undefined ? (
          part
        ) : (
          <span key={index} class={`code-${kind}`}>
            {part}
          </span>
        ),
      )}
    </>
  )
}
