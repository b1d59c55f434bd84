const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** The time since then, in short: `3 min ago`. */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000)
  const found = units.find(([, length]) => Math.abs(seconds) >= length)
  if (found === undefined) return 'just now'
  const [unit, length] = found
  const amount = `${Math.floor(Math.abs(seconds) / length)} ${unit}`
  return seconds < 0 ? `in ${amount}` : `${amount} ago`
}

/** The local time, short: the hour if it is today, day and hour if it is this year, else the date. */
export function shortTime(at: string, now: number): string {
  const [day, hour] = dayAndHour(at)
  const [today] = dayAndHour(new Date(now).toISOString())
  if (day === today) return hour.slice(0, 5)
  return day.slice(0, 4) === today.slice(0, 4) ? `${day.slice(5)} ${hour.slice(0, 5)}` : day
}

/** The local time in full. */
export function fullTime(at: string): string {
  return dayAndHour(at).join(' ')
}

/** A time, relative and in full. */
export function whenAt(at: string, now: number): string {
  return `${relativeTime(at, now)} (${fullTime(at)})`
}

/** A duration: `840 ms`, `12 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The duration between two timestamps. */
export function between(startedAt: string, finishedAt: string): string {
  return duration(Date.parse(finishedAt) - Date.parse(startedAt))
}

function dayAndHour(at: string): [day: string, hour: string] {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return [day, `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`]
}
