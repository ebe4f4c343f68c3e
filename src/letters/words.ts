/** What a letter says; `text` and `html` say the same. */
export interface LetterContent {
  subject: string
  text: string
  html: string
}

/** What a text message says. */
export interface TextContent {
  text: string
}

// Nothing a caller typed goes into these words, names included: whoever signs up with somebody else's address could
// otherwise write letters to them in our name. Codes and links stay out of subjects, which show on locked screens.

/** The letter with a link to choose a new password. */
export function resetLinkLetter({ link, expiresInSeconds }: { link: string; expiresInSeconds: number }): LetterContent {
  return letter('Choose a new password', [
    'Somebody, probably you, asked to choose a new password for your support account.',
    'Open this link to choose it:',
    { link },
    `The link works once, within ${inWords(expiresInSeconds)}.`,
    'If it was not you, you need not do anything: your password stays as it is.'
  ])
}

/** The letter with the code that proves an e-mail address. */
export function emailCodeLetter({ code, expiresInSeconds }: { code: string; expiresInSeconds: number }): LetterContent {
  return letter('Your verification code', [
    'Enter this code to verify your e-mail address:',
    { code },
    `The code works once, within ${inWords(expiresInSeconds)}.`,
    'If you did not ask for it, you can ignore this letter. Never give the code to anybody else.'
  ])
}

/** The text with the code that proves a phone number. Short enough for a single SMS. */
export function phoneCodeText({ code, expiresInSeconds }: { code: string; expiresInSeconds: number }): TextContent {
  return {
    text: `Your support verification code is ${code}. It works once, within ${inWords(expiresInSeconds)}. Never give it to anybody else.`
  }
}

type Paragraph = string | { link: string } | { code: string }

function letter(subject: string, paragraphs: Paragraph[]): LetterContent {
  const text = paragraphs.map(paragraph => (typeof paragraph === 'string' ? wrapped(paragraph) : plain(paragraph)))
  const body = paragraphs.map(
    paragraph => `<p>${typeof paragraph === 'string' ? escaped(paragraph) : rich(paragraph)}</p>`
  )
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en">',
      `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
      '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">',
      ...body,
      '</body>',
      '</html>',
      ''
    ].join('\n')
  }
}

function plain(paragraph: { link: string } | { code: string }): string {
  return 'link' in paragraph ? paragraph.link : `    ${paragraph.code}`
}

function rich(paragraph: { link: string } | { code: string }): string {
  if ('link' in paragraph) return `<a href="${escaped(paragraph.link)}">${escaped(paragraph.link)}</a>`
  return `<strong style="font-size: 1.6em; letter-spacing: 0.1em">${escaped(paragraph.code)}</strong>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** In lines of 72 characters, as plain letters are written. */
function wrapped(text: string): string {
  return text.replace(/(?=.{73})(.{1,72}) /g, '$1\n')
}

function inWords(seconds: number): string {
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
