/** The ticket number that somebody means who types it whole, or its digits alone; undefined for anything else. */
export function ticketNumberIn(text: string): string | undefined {
  const digits = /^(?:tic-?)?(\d{6,})$/i.exec(text.trim())?.[1]
  return digits && `TIC-${digits}`
}
