/** The ticket number if the text is one, or only its digits; else undefined. */
export function ticketNumberIn(text: string): string | undefined {
  const digits = /^(?:tic-?)?(\d{6,})$/i.exec(text.trim())?.[1]
  return digits && `TIC-${digits}`
}
