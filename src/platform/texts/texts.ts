/** An outgoing text message. `reference` stays the same at every attempt. */
export interface TextMessage {
  reference: string
  /** One phone number, as somebody typed it. */
  to: string
  text: string
  date: Date
}

export interface Texts {
  /** Whether a text can be sent to this number. Checked before one is promised. */
  reaches(number: string): boolean
  /** Sends a text and returns the gateway's response. Fails like `Mail.send`. */
  send(message: TextMessage): Promise<string>
}
