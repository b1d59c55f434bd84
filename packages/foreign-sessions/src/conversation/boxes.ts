import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Texts that are compressed together. */
interface Box {
  /** Absent while the box is being filled. */
  packed?: Uint8Array
}

const boxBytes = 256 * 1024

/** Compresses texts in groups, in the order in which they arrive, because they are read in the same order. */
export class Boxes {
  readonly #filling = Buffer.allocUnsafeSlow(boxBytes)
  #box: Box = {}
  #end = 0
  /** The last opened box. */
  #opened: { readonly box: Box; readonly content: Buffer } | undefined

  /** Returns a function that gives the text back. */
  put(text: Uint8Array): () => string {
    if (text.length > boxBytes) {
      const box = { packed: packed(text) }
      return () => this.#contentOf(box).toString('utf8')
    }
    if (this.#end + text.length > boxBytes) this.#close()
    const box = this.#box
    const from = this.#end
    this.#filling.set(text, from)
    this.#end += text.length
    const to = this.#end
    return () => this.#contentOf(box).toString('utf8', from, to)
  }

  #close(): void {
    this.#box.packed = packed(this.#filling.subarray(0, this.#end))
    this.#box = {}
    this.#end = 0
  }

  #contentOf(box: Box): Buffer {
    if (box.packed === undefined) return this.#filling
    if (this.#opened?.box !== box) this.#opened = { box, content: inflateRawSync(box.packed) }
    return this.#opened.content
  }
}

function packed(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 1 })
}
