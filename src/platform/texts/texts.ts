/** A text message as it goes out. `reference` stays the same however often it is sent. */
export interface TextMessage {
  reference: string
  /** One phone number. */
  to: string
  text: string
  date: Date
}

export interface Texts {
  /** Hands a text over and answers what the receiving side said. Fails as `Mail.send` does. */
  send(message: TextMessage): Promise<string>
}
