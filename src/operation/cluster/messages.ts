/** The messages between the primary and its workers, besides those of node:cluster and prom-client. */
export type Message =
  /** To a worker: stop in order. */
  | { type: 'deskline:stop' }
  /** From a worker: a request for everybody's metrics; and the response to it. */
  | { type: 'deskline:metrics'; id: number; text?: string }

/** Tells a worker its place, as in `2/4`. */
export const placeVariable = 'DESKLINE_WORKER'
