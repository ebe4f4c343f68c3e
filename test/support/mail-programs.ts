import type { MailMessage } from '../../src/platform/mail/mail.ts'
import { aMail } from './mails.ts'

/** A reply to one of our e-mails, and the part of it that the mail program quotes. */
interface MailProgramReply {
  from: string
  message: Pick<MailMessage, 'messageId' | 'subject' | 'text' | 'html' | 'replyTo' | 'references'>
  words: string
  headers?: Record<string, string>
}

const sender = 'Example Support <support@desk.example>'
const quoted = (text: string) => text.replace(/^/gm, '> ')
const bodyOf = (html: string) => /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html

/** How mail programs reply: their text part, and their HTML part if they write one. */
const programs = {
  gmail: ({ words, message: { text, html } }) => ({
    text: `${words}\n\nOn Sun, Nov 22, 2026 at 3:30 PM Example Support <\nsupport@desk.example> wrote:\n\n${quoted(text)}`,
    html:
      `<div dir="ltr">${words}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Sun, Nov 22, 2026 at 3:30 PM ` +
      `Example Support &lt;<a href="mailto:support@desk.example">support@desk.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" ` +
      `style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><u></u>${bodyOf(html)}</blockquote></div>`
  }),
  outlook: ({ words, message: { text, html, subject } }) => ({
    text: `${words}\n\nFrom: ${sender}\nSent: Sunday, November 22, 2026 3:30 PM\nTo: Ada Lovelace <ada@example.com>\nSubject: ${subject}\n\n${text}`,
    html:
      `<html><body lang="EN-GB"><div class="WordSection1"><p class="MsoNormal">${words}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div>` +
      `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b><span lang="EN-US">From:</span></b><span lang="EN-US"> ` +
      `Example Support &lt;support@desk.example&gt; <br><b>Sent:</b> Sunday, November 22, 2026 3:30 PM<br><b>To:</b> Ada Lovelace &lt;ada@example.com&gt;<br>` +
      `<b>Subject:</b> ${subject}<o:p></o:p></span></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>${bodyOf(html)}</div></body></html>`
  }),
  apple: ({ words, message: { text, html } }) => ({
    text: `${words}\n\n> On 22 Nov 2026, at 15:30, Example Support <support@desk.example> wrote:\n> \n${quoted(text)}`,
    html:
      `<html><head></head><body style="overflow-wrap: break-word;">${words}<br><div><br><blockquote type="cite"><div>On 22 Nov 2026, at 15:30, Example Support ` +
      `&lt;support@desk.example&gt; wrote:</div><br class="Apple-interchange-newline"><div>${bodyOf(html)}</div></blockquote></div><br></body></html>`
  }),
  thunderbird: ({ words, message: { text } }) => ({
    text: `${words}\n\nAm 22.11.26 um 15:30 schrieb Example Support:\n${quoted(text)}`
  }),
  // Quotes without a mark and without a line of its own, as some phones and web mailers do.
  bare: ({ words, message: { text } }) => ({ text: `${words}\n\n${text}` }),
  bareHtml: ({ words, message: { html } }) => ({ html: `<p>${words}</p>${bodyOf(html)}` }),
  // Below what it answers, as people write who have learned it so.
  below: ({ words, message: { text } }) => ({
    text: `On Sun, Nov 22, 2026 at 3:30 PM Example Support <support@desk.example> wrote:\n\n${quoted(text)}\n\n${words}\n`
  })
} satisfies Record<string, (answering: MailProgramReply) => { text?: string; html?: string }>

export type MailProgram = keyof typeof programs
export const mailPrograms = Object.keys(programs) as MailProgram[]

/** The raw e-mail with which somebody replies to one of ours. */
export function replyBy(program: MailProgram, answering: MailProgramReply): string {
  const { from, message, headers } = answering
  const parts: { text?: string; html?: string } = programs[program](answering)
  const kinds = (['text', 'html'] as const).filter(kind => parts[kind] !== undefined)
  const boundary = 'the-boundary'
  const each = kinds.map(
    kind =>
      `--${boundary}\nContent-Type: text/${kind === 'text' ? 'plain' : 'html'}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n` +
      `${Buffer.from(parts[kind]!).toString('base64').replace(/.{76}/g, '$&\n')}\n`
  )
  return aMail(
    {
      From: from,
      To: message.replyTo ?? 'support@desk.example',
      Subject: encodedWord(`Re: ${message.subject.replace(/^Re: /, '')}`),
      'In-Reply-To': message.messageId,
      References: [message.references, message.messageId].filter(Boolean).join(' '),
      'MIME-Version': '1.0',
      'Content-Type': `multipart/alternative; boundary="${boundary}"`,
      ...headers
    },
    `${each.join('')}--${boundary}--\n`
  )
}

function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}
