/** A text message as it goes out. `reference` stays the same however often it is sent. */
export interface TextMessage {
  reference: string
  /** One phone number, as somebody typed it. */
  to: string
  text: string
  date: Date
}

export interface Texts {
  /** Whether a text can be sent to this number at all. Asked before one is promised to somebody. */
  reaches(number: string): boolean
  /** Hands a text over and answers what the receiving side said. Fails as `Mail.send` does. */
  send(message: TextMessage): Promise<string>
}
