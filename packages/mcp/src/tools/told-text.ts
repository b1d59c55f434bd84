/** A description is for models, who read it with every request. */
export const longestDescription = 4000

/**
 * The text of a server for models and people, without what neither can see: control characters, marks of direction, and
 * letters without a shape, which hide words from those who look at it.
 */
export function told(text: string, most: number): string {
  const visible = text.replace(invisible, '').trim()
  return visible.length <= most ? visible : `${visible.slice(0, most).trimEnd()} […]`
}

/** Colours and the like of terminals, whole; then what is left of control characters but for tabs and line breaks. */
const invisible = new RegExp(
  String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|` +
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|` +
    String.raw`[\u{e0000}-\u{e0fff}]`,
  'gu',
)
