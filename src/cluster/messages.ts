/** What the primary and its workers say to each other, besides what node:cluster and prom-client do. */
export type Message =
  /** To a worker: end in order. */
  | { type: 'deskline:stop' }
  /** From a worker: the metrics of all, please; and back with them. */
  | { type: 'deskline:metrics'; id: number; text?: string }

/** Tells a worker its place, as in `2/4`. */
export const placeVariable = 'DESKLINE_WORKER'
