/** Variables that many programs take as a sign that they run non-interactively. */
export const unattended: Readonly<Record<string, string>> = { CI: '1', NO_COLOR: '1' }

/** How much of a check's output is kept. */
export const checkOutputCap = { headBytes: 12_000, tailBytes: 24_000 }
