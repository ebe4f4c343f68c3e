/** How much there is of everything beside so many tickets. */
export interface Scale {
  tickets: number
  clients: number
  /** Who have so many tickets each. */
  busyClients: number
  busyTickets: number
  /** How many tickets have a thread of so many messages. */
  longThreads: number
  longThread: number
  staff: number
  /** How many different texts the messages have. */
  texts: number
}

/** A small desk has no client with ten thousand tickets: there it is a tenth of all. */
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
