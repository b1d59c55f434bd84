// A program at a terminal of its own, without a person. `script` of util-linux makes the terminal; what the program
// writes comes back as bytes.
import { spawn } from 'node:child_process'

const patienceMs = 60_000

export class Seat {
  #child
  #text = ''
  #news = []
  started

  constructor(words, { columns = 80, rows = 24, cwd, environment }) {
    const quoted = words.map((word) => `'${String(word).replaceAll("'", `'\\''`)}'`).join(' ')
    const line = `stty cols ${columns} rows ${rows}; exec ${quoted}`
    this.started = performance.now()
    this.#child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#text += text
      for (const news of this.#news.splice(0)) news()
    })
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  /** Everything that was written, without what steers the terminal. */
  get text() {
    return plain(this.#text)
  }

  send(keys) {
    this.#child.stdin.write(keys)
  }

  /** Milliseconds until what was written since `from` fits. */
  async until(fits, from = this.started, begin = 0) {
    const end = from + patienceMs
    while (!fits(plain(this.#text.slice(begin)))) {
      if (performance.now() > end) throw new Error(`Not seen in time:\n${this.text.slice(-2_000)}`)
      await this.#next()
    }
    return performance.now() - from
  }

  /** Milliseconds from a key to what it shows. */
  async echo(key, shown = key) {
    const begin = this.#text.length
    const from = performance.now()
    this.send(key)
    return this.until((text) => text.includes(shown), from, begin)
  }

  /** Waits until nothing was written for a moment. */
  async rest(ms = 150) {
    for (let length = -1; length !== this.#text.length;) {
      length = this.#text.length
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }

  async stop() {
    this.#child.kill('SIGTERM')
    await this.ended
  }

  #next() {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1_000)
      this.#news.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

// oxlint-disable no-control-regex
function plain(text) {
  return text
    .replaceAll(/\x1b[\]_P][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .replaceAll(/\x1b\[[\d;?<>=]*[ -/]*[@-~]/g, '')
    .replaceAll(/\x1b[ -/]*[0-~]/g, '')
}
