/** How many rows of each kind a database of this many tickets has. */
export interface Scale {
  tickets: number
  clients: number
  /** Clients who have `busyTickets` tickets each. */
  busyClients: number
  busyTickets: number
  /** How many tickets have a thread of `longThread` messages. */
  longThreads: number
  longThread: number
  staff: number
  /** How many different texts the messages have. */
  texts: number
}

/** In a small database a busy client has a tenth of all tickets instead of ten thousand. */
export function scaleOf(tickets: number): Scale {
  return {
    tickets,
    clients: Math.max(200, Math.round(tickets / 20)),
    busyClients: Math.max(1, Math.min(5, Math.floor(tickets / 40_000))),
    busyTickets: Math.min(10_000, Math.round(tickets / 10)),
    longThreads: Math.max(1, Math.round(tickets / 10_000)),
    longThread: Math.min(1_000, Math.round(tickets / 4)),
    staff: 21,
    texts: Math.min(20_000, tickets * 2)
  }
}
