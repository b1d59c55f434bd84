// Writes a model file of llama.cpp: a llama of two layers with random weights, and a vocabulary of bytes. It knows
// nothing and says noise, but everything that runs it is real: the loader, the tokeniser, the template, the evaluation.
import { writeFileSync } from 'node:fs'

const width = 32
const layers = 2
const heads = 4
const inner = 64
/** Tokens: unknown, begin, end, the space as this tokeniser writes it, and one for each byte. */
const special = ['<unk>', '<s>', '</s>', '\u2581']
const vocabulary = [...special, ...Array.from({ length: 256 }, (_, byte) => `<0x${hex(byte)}>`)]

/** As models bring it: the roles of a conversation in their own words. */
const template =
  "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}\n{% endfor %}" +
  '{% if add_generation_prompt %}<|assistant|>\n{% endif %}'

/** The types of values in the header of the file. */
const types = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 }
const alignment = 32

/** Writes the file; the same seed makes the same bytes. */
export function writeTinyModel(path, { contextLength = 2048, seed = 1 } = {}) {
  const random = randomFrom(seed)
  const tensors = tensorsOf().map(([name, shape]) => ({ name, shape, values: valuesFor(name, shape, random) }))
  const header = headerOf(contextLength)
  const table = tableOf(tensors)
  const before = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(header.length),
    ...header,
    ...table,
  ])
  const parts = [before, padding(before.length)]
  for (const { values } of tensors) {
    const bytes = Buffer.from(values.buffer)
    parts.push(bytes, padding(bytes.length))
  }
  writeFileSync(path, Buffer.concat(parts))
}

function headerOf(contextLength) {
  return [
    pair('general.architecture', 'string', 'llama'),
    pair('general.name', 'string', 'noise'),
    pair('llama.context_length', 'uint32', contextLength),
    pair('llama.embedding_length', 'uint32', width),
    pair('llama.block_count', 'uint32', layers),
    pair('llama.feed_forward_length', 'uint32', inner),
    pair('llama.attention.head_count', 'uint32', heads),
    pair('llama.attention.head_count_kv', 'uint32', heads),
    pair('llama.attention.layer_norm_rms_epsilon', 'float32', 1e-5),
    pair('llama.rope.dimension_count', 'uint32', width / heads),
    pair('llama.vocab_size', 'uint32', vocabulary.length),
    pair('tokenizer.ggml.model', 'string', 'llama'),
    list('tokenizer.ggml.tokens', 'string', vocabulary),
    list(
      'tokenizer.ggml.scores',
      'float32',
      vocabulary.map(() => 0),
    ),
    // Unknown, control, normal and byte, by their numbers in llama.cpp.
    list('tokenizer.ggml.token_type', 'int32', [2, 3, 3, 1, ...vocabulary.slice(special.length).map(() => 6)]),
    pair('tokenizer.ggml.unknown_token_id', 'uint32', 0),
    pair('tokenizer.ggml.bos_token_id', 'uint32', 1),
    pair('tokenizer.ggml.eos_token_id', 'uint32', 2),
    pair('tokenizer.chat_template', 'string', template),
  ]
}

function tensorsOf() {
  const layer = (index) => [
    [`blk.${index}.attn_norm.weight`, [width]],
    [`blk.${index}.attn_q.weight`, [width, width]],
    [`blk.${index}.attn_k.weight`, [width, width]],
    [`blk.${index}.attn_v.weight`, [width, width]],
    [`blk.${index}.attn_output.weight`, [width, width]],
    [`blk.${index}.ffn_norm.weight`, [width]],
    [`blk.${index}.ffn_gate.weight`, [width, inner]],
    [`blk.${index}.ffn_up.weight`, [width, inner]],
    [`blk.${index}.ffn_down.weight`, [inner, width]],
  ]
  return [
    ['token_embd.weight', [width, vocabulary.length]],
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    ['output_norm.weight', [width]],
    ['output.weight', [width, vocabulary.length]],
  ]
}

function valuesFor(name, shape, random) {
  const count = shape.reduce((product, size) => product * size, 1)
  return Float32Array.from({ length: count }, () => (name.includes('norm') ? 1 : (random() - 0.5) * 0.6))
}

function tableOf(tensors) {
  let offset = 0
  return tensors.map(({ name, shape, values }) => {
    const entry = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)])
    offset += values.byteLength + padding(values.byteLength).length
    return entry
  })
}

function pair(name, type, value) {
  return Buffer.concat([text(name), u32(types[type]), written(type, value)])
}

function list(name, type, values) {
  return Buffer.concat([
    text(name),
    u32(types.array),
    u32(types[type]),
    u64(values.length),
    ...values.map((value) => written(type, value)),
  ])
}

function written(type, value) {
  switch (type) {
    case 'string':
      return text(value)
    case 'float32': {
      const bytes = Buffer.alloc(4)
      bytes.writeFloatLE(value)
      return bytes
    }
    default:
      return u32(value)
  }
}

function text(value) {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function padding(length) {
  return Buffer.alloc((alignment - (length % alignment)) % alignment)
}

function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x100000000
  }
}
