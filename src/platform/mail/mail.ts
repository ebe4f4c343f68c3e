/** An outgoing e-mail. `messageId` includes angle brackets and stays the same at every attempt. */
export interface MailMessage {
  messageId: string
  from: string | { name: string; address: string }
  /** The envelope sender, which gets bounces, if not `from`. */
  returnPath?: string
  /** The envelope sender to use if the server refuses `returnPath`. Then no report is requested either. */
  otherReturnPath?: string
  /** The Reply-To address, if not `from`. */
  replyTo?: string
  /** One address, which gets it. */
  to: string
  /** Whom the e-mail names as its recipients, if others beside `to` get copies of their own. */
  shownTo?: readonly string[]
  shownCc?: readonly string[]
  subject: string
  text: string
  html: string
  /** Attachments, including images that the HTML references by `cid:` and their `contentId`. */
  attachments?: readonly MailAttachment[]
  /** The Message-IDs, in angle brackets, of the e-mail that this one replies to and of earlier ones. */
  inReplyTo?: string
  references?: string
  headers?: Record<string, string>
  /** Requests a delivery report from servers that support it (RFC 3461). */
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
   * Sends an e-mail and returns the server's response. Throws `PermanentFailure` if the server rejects this e-mail permanently; any other error
   * means: retry. Resolves or throws within a minute.
   */
  send(message: MailMessage): Promise<string>
}
