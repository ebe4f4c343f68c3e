/** An e-mail as it goes out. `messageId` has its angle brackets and stays the same however often the e-mail is sent. */
export interface MailMessage {
  messageId: string
  from: string
  /** Where answers go, when not to `from`. */
  replyTo?: string
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** The Message-IDs, in angle brackets, of the e-mail that this one answers and of those before it. */
  inReplyTo?: string
  references?: string
  headers?: Record<string, string>
  date: Date
}

export interface Mail {
  /**
   * Hands an e-mail over and answers what the receiving side said. Throws `RefusedForGood` when that does not want this
   * e-mail; any other error means: try again later. Answers or throws within a minute.
   */
  send(message: MailMessage): Promise<string>
}
