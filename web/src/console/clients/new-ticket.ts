/** For whom a ticket is to be opened. */
export interface TicketClient {
  id: number
  first_name: string
  last_name: string
  email: string
}

const openEvent = 'deskline:new-ticket'

/** Opens the dialog for a new ticket, from anywhere in the console; with a client already chosen, if there is one. */
export function openNewTicket(client?: TicketClient): void {
  dispatchEvent(new CustomEvent(openEvent, { detail: client }))
}

export function onNewTicket(listener: (client: TicketClient | undefined) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<TicketClient | undefined>).detail ?? undefined)
  addEventListener(openEvent, heard)
  return () => removeEventListener(openEvent, heard)
}
