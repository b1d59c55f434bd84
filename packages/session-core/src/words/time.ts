import * as z from 'zod/mini'

/** ISO 8601 in UTC with milliseconds: equal length, so text order is time order. */
export const Timestamp = /* @__PURE__ */ z.iso.datetime({ precision: 3 })
