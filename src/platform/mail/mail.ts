/** A letter as it goes out. `messageId` has its angle brackets and stays the same however often the letter is sent. */
export interface MailMessage {
  messageId: string
  from: string
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  date: Date
}

export interface Mail {
  /**
   * Hands a letter over and answers what the receiving side said. Throws when that fails; an error whose `responseCode`
   * is 500 or more is a refusal for good. Has to answer or throw within a minute.
   */
  send(message: MailMessage): Promise<string>
}
