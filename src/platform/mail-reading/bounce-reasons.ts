/** Why an e-mail was not delivered, or is delayed, as a slug. */
export const deliveryReasons = [
  'mailbox_full',
  'unknown_address',
  'unknown_domain',
  'mailbox_disabled',
  'too_large',
  'spam',
  'refused',
  'not_reached',
  'not_in_time',
  'temporary',
  'other'
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/** The reason if all attempts were used up. */
export const deliveryTimedOut = 'not delivered in time'

interface Known {
  code: DeliveryReason
  /** The enhanced status codes (RFC 3463) of this reason, and phrases of servers that send none. */
  status: RegExp
  words: RegExp
  text: string
}

const known: readonly Known[] = [
  {
    code: 'mailbox_full',
    status: /^[45]\.2\.2$/,
    words:
      /mailbox (is )?full|over ?quota|quota (\w{1,20} )?exceeded|mailbox lleno|espacio .{1,30} agotado|exceeded (storage|quota)|insufficient (disk|storage)|postfach (ist )?voll|inbox is full|mailbox exceed|recipient's mailbox exceeded|メールボックスが一杯/i,
    text: 'mailbox full'
  },
  {
    code: 'unknown_domain',
    status: /^5\.1\.2$|^5\.4\.4$/,
    words:
      /host (unknown|(\S{1,100} )?not found)|unknown host|domain (name )?(does(n'?t| not) exist|not found|is not reachable)|no such domain|dns (error|lookup failure)|unrouteable mail domain|no mx|name service error|nxdomain/i,
    text: 'no such domain'
  },
  {
    code: 'unknown_address',
    status: /^5\.1\.(1|6|10)$/,
    words:
      /user unknown|unknown (user|recipient|address|local part)|(user|recipient|address|mailbox) ?(is |name is )?not ?(found|exist|recogni[sz]ed)|no such (user|recipient|mailbox|address)|does(n'?t| not) exist|not listed in|doesn'?t have an? \S{1,100} account|invalid (recipient|final delivery userid|user address)|recipient (address )?rejected: (user|unknown)|no mailbox here|unrouteable address|unbekannt|リストにありません|見つかりません/i,
    text: 'no such address'
  },
  {
    code: 'mailbox_disabled',
    status: /^5\.2\.1$|^5\.7\.13$/,
    words: /(mailbox|account|user) (is |has been )?(disabled|inactive|suspended|unavailable|locked|frozen)/i,
    text: 'mailbox disabled'
  },
  {
    code: 'too_large',
    status: /^[45]\.2\.3$|^5\.3\.4$/,
    words: /message (size|too (large|big))|exceeds (size|maximum|the limit)|too large|mail size limit/i,
    text: 'message too large'
  },
  {
    code: 'refused',
    status: /^5\.7\.\d+$/,
    words: /spam|blocked|blacklist|blocklist|policy|dmarc|spf|not authori[sz]ed|rejected for|denied/i,
    text: 'refused by the other side'
  },
  {
    code: 'not_reached',
    status: /^4\.4\.\d+$|^5\.4\.\d+$/,
    words:
      /timed? ?out|connection (refused|timed|lost)|unreachable|no route|could not connect|expired|failing for a long time|for the last \d+ seconds/i,
    text: 'mail server not reached'
  }
]

const spam: Pick<Known, 'words' | 'text'> = {
  words: /\bspam\b|\bjunk mail\b|unsolicited/i,
  text: 'refused by the other side as spam'
}

/** The reason in a few words; undefined if neither the status nor the text is known. */
export function reasonIn(status: string | undefined, words: string): string | undefined {
  const byStatus = status ? known.find(each => each.status.test(status)) : undefined
  const byWords = known.find(each => each.words.test(words))
  // Some servers report every refusal as a policy.
  const found = byStatus?.code === 'refused' ? (byWords ?? byStatus) : (byStatus ?? byWords)
  return found?.code === 'refused' && spam.words.test(words) ? spam.text : found?.text
}

/** The slug for a stored bounce or delay, from its status and its reason or the server's text. */
export function deliveryReasonOf(status: string | null, reason: string): DeliveryReason {
  const said = status ?? /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reason)?.[0]
  const code = codeOf(reason) ?? codeOf(reasonIn(said, reason))
  const isForNow = said ? said.startsWith('4') : /\b4\d\d[ -]/.test(reason)
  if (isForNow && (code === undefined || code === 'refused' || code === 'spam')) return 'temporary'
  return code ?? 'other'
}

function codeOf(text: string | undefined): DeliveryReason | undefined {
  if (text === deliveryTimedOut) return 'not_in_time'
  if (text === spam.text) return 'spam'
  return known.find(each => each.text === text)?.code
}
