/** Tells the line of a place in a text, counted from 1. */
export function lineCounter(text: string): (place: number) => number {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (place) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= place) low = middle
      else high = middle
    }
    return low + 1
  }
}
