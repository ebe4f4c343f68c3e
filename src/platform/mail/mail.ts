/** An e-mail as it goes out. `messageId` has its angle brackets and stays the same however often the e-mail is sent. */
export interface MailMessage {
  messageId: string
  from: string | { name: string; address: string }
  /** Where reports of failure go (the sender of the envelope), when not to `from`. */
  returnPath?: string
  /** Where answers go, when not to `from`. */
  replyTo?: string
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** What goes with it: files, and the images that the HTML names by `cid:` and their `contentId`. */
  attachments?: readonly MailAttachment[]
  /** The Message-IDs, in angle brackets, of the e-mail that this one answers and of those before it. */
  inReplyTo?: string
  references?: string
  headers?: Record<string, string>
  /** Asks servers that do so to tell when it was delivered, or was not (RFC 3461). */
  wantsReport?: boolean
  date: Date
}

export interface MailAttachment {
  name: string
  type: string
  content: Buffer
  contentId?: string
}

export interface Mail {
  /**
   * Hands an e-mail over and answers what the receiving side said. Throws `RefusedForGood` when that does not want this
   * e-mail; any other error means: try again later. Answers or throws within a minute.
   */
  send(message: MailMessage): Promise<string>
}
