import { getCapabilities, getImageDimensions, renderImage } from '@earendil-works/pi-tui'

export interface PictureRoom {
  readonly columns: number
  readonly rows: number
}

const widest = 60
const highest = 20
const indent = 2

/** Lines to print that show a picture; undefined where the terminal cannot, and a line of words has to do. */
export function pictureRows(base64: string, mediaType: string, { columns, rows }: PictureRoom): string[] | undefined {
  const { images } = getCapabilities()
  // What kitty and those like it take without decoding it first is PNG alone.
  if (images === null || (images === 'kitty' && mediaType !== 'image/png')) return undefined
  const size = getImageDimensions(base64, mediaType)
  if (size === null) return undefined
  const picture = renderImage(base64, size, {
    maxWidthCells: Math.max(1, Math.min(widest, columns - 1 - indent)),
    maxHeightCells: Math.max(1, Math.min(highest, Math.floor(rows / 2))),
    moveCursor: false,
  })
  if (picture === null) return undefined
  // Its rows are made first, so that the terminal has scrolled by then; the cursor comes back to the last of them.
  const up = picture.rows > 1 ? `\x1b[${picture.rows - 1}A` : ''
  const blank = Array.from({ length: picture.rows - 1 }, () => '')
  return [...blank, `\x1b7${up}\x1b[${indent}C${picture.sequence}\x1b8`]
}
