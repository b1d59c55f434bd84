/** How far compaction goes where the policy does not say. */
export const compactionLimits = {
  /** How often the window may be folded in one turn. */
  maxCompactions: 2,
  /** How many of the newest messages stay. */
  keepLastMessages: 4,
} as const
