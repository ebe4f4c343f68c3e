import { accountWarnings } from './en-account-warnings.ts'
import { type Catalogue, paragraphs } from './wording.ts'

/** The English texts, the default language of a desk. */
export const english: Catalogue = {
  emails: {
    'reset-link': {
      subject: 'Choose a new password',
      text: paragraphs(
        'Somebody, probably you, asked to choose a new password for your support account.',
        'Open this link to choose it:',
        '{{reset.link}}',
        'The link works once, within {{reset.valid_for}}.',
        'If it was not you, you need not do anything: your password stays as it is.'
      )
    },
    'staff-reset-link': {
      subject: 'Choose a new password',
      text: paragraphs(
        'Somebody, probably you, asked to choose a new password for your staff account at the support desk.',
        'Open this link to choose it:',
        '{{reset.link}}',
        'The link works once, within {{reset.valid_for}}.',
        'If it was not you, you need not do anything: your password stays as it is.'
      )
    },
    invitation: {
      subject: 'Your support account',
      text: paragraphs(
        'Our support team has opened an account for you.',
        'Open this link to choose a password:',
        '{{reset.link}}',
        'The link works once, within {{reset.valid_for}}. Later you can ask for a new one where you log in.',
        'If you know nothing of this, you can ignore this e-mail.'
      )
    },
    'password-changed': {
      subject: 'Your password was changed',
      text: paragraphs(
        '{{#by_owner}}The password of your account at the support desk was changed just now, and every other session was ended.{{/by_owner}}',
        '{{#by_link}}The password of your account at the support desk was changed just now with a link that was sent to this address, and every session was ended.{{/by_link}}',
        '{{#by_admin}}The password of your account at the support desk was changed just now by an administrator, and every session was ended.{{/by_admin}}',
        '{{#by_operator}}The password of your account at the support desk was changed just now by whoever runs the support desk, and every session was ended.{{/by_operator}}',
        'If it was you, or you asked for it, you need not do anything.',
        'If not, choose a new password at once by "forgot password", and tell the support desk.'
      )
    },
    ...accountWarnings,
    'email-code': {
      subject: 'Your verification code',
      text: paragraphs(
        'Enter this code to verify your e-mail address:',
        '{{code}}',
        'The code works once, within {{code.valid_for}}.',
        'If you did not ask for it, do not enter it, and never give it to anybody else. Somebody may have signed up with your address: choose a password here, and the account is yours alone:',
        '{{desk.forgot_url}}'
      )
    },
    'email-changed': {
      subject: 'Your e-mail address was changed',
      text: paragraphs(
        'The e-mail address of your account at the support desk was changed just now.',
        'If it was you, you need not do anything.',
        '{{#returnable}}If it was not, open this link and choose a new password. This becomes the address of the account again, and whoever is logged in is logged out:{{/returnable}}',
        '{{#returnable}}{{reset.link}}{{/returnable}}',
        '{{#returnable}}The link works once, within {{reset.valid_for}}.{{/returnable}}',
        'Tell the support desk at once if somebody else has changed it.'
      )
    },
    'email-change-confirmation': {
      subject: 'Your e-mail address was changed',
      text: paragraphs(
        'Our support team has changed the e-mail address of your support account just now. Whoever was logged in has been logged out. Until the new address is confirmed, e-mails about the account come here.',
        'If you asked for it, open this link and confirm it. Until then nobody can choose a new password by e-mail.',
        '{{confirmation.link}}',
        'The link works once, within {{confirmation.valid_for}}. Later our support team can confirm the address.',
        'If you did not ask for it, do not confirm it, and tell our support team at once.',
        '{{#returnable}}You can take the account back yourself: open this link and choose a new password. This becomes the address of the account again:{{/returnable}}',
        '{{#returnable}}{{reset.link}}{{/returnable}}',
        '{{#returnable}}The link works once, within {{reset.valid_for}}.{{/returnable}}'
      )
    },
    'email-change-confirmed': {
      subject: 'Your e-mail address was changed',
      text: paragraphs(
        '{{admin.name}}, an administrator of our support team, has confirmed that your support account has a new e-mail address.',
        'E-mails about the account, and links to choose a new password, go to the new address alone.',
        'If you did not ask for it, tell our support team at once.',
        '{{#new_address}}If the account is not yours, somebody else has given your address. Choose a password here, and it is yours alone:{{/new_address}}',
        '{{#new_address}}{{desk.forgot_url}}{{/new_address}}'
      )
    },
    'ticket-confirmation': {
      subject: 'Confirm your ticket',
      text: paragraphs(
        'Somebody, probably you, wrote to our support team without logging in, and gave your e-mail address.',
        'You have an account there. Open this link to see the ticket, and to send it in your name:',
        '{{confirmation.link}}',
        'The link works once, within {{confirmation.valid_for}}.',
        'If it was not you, you need not do anything: nothing is sent.',
        'If you have no account there, somebody else has given your address. Choose a password here, and the account is yours alone:',
        '{{desk.forgot_url}}'
      )
    },
    'client-ticket': {
      subject: '{{#reply}}Re: {{/reply}}[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Please write your answer above this line -##{{/answerable}}',
        '{{#received}}We have received your message. Your ticket is {{ticket.number}}.{{/received}}',
        '{{#opened}}Our support team has opened the ticket {{ticket.number}} for you.{{/opened}}',
        '{{messages}}',
        '{{#closed}}Your ticket {{ticket.number}} has been closed. A reply opens it again.{{/closed}}',
        '{{#answerable}}You can answer this e-mail. {{/answerable}}You read the ticket and reply to it at the support desk, where you can also turn e-mails about tickets off:',
        '{{ticket.link}}',
        '{{thread}}'
      )
    },
    'client-ticket-unverified': {
      subject: '[{{ticket.number}}] Your support ticket',
      text: paragraphs(
        '{{#received}}We have received your message. Your ticket is {{ticket.number}}.{{/received}}',
        '{{#opened}}Our support team has opened the ticket {{ticket.number}} for you.{{/opened}}',
        '{{#answered}}There is an answer to your ticket {{ticket.number}}.{{/answered}}',
        '{{#closed}}Your ticket {{ticket.number}} has been closed. A reply opens it again.{{/closed}}',
        '{{#unproven}}Verify your e-mail address, and e-mails like this one tell you what was written.{{/unproven}}',
        '{{#unproven}}If you know nothing of this account, somebody else has given your address. Choose a password here, and the account is yours alone:{{/unproven}}',
        '{{#unproven}}{{desk.forgot_url}}{{/unproven}}',
        '{{#answerable}}You can answer this e-mail. {{/answerable}}You read the ticket and reply to it at the support desk, where you can also turn e-mails about tickets off:',
        '{{ticket.link}}'
      )
    },
    'client-notice': {
      subject: '[{{ticket.number}}] {{notice.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Please write your answer above this line -##{{/answerable}}',
        '{{messages}}',
        'You read the ticket at the support desk:',
        '{{ticket.link}}'
      )
    },
    'client-survey': {
      subject: '[{{ticket.number}}] How was our help?',
      text: paragraphs(
        'Your ticket “{{ticket.subject}}” has been closed. How was our help?',
        '{{good.link}}',
        '{{bad.link}}',
        'You see your choice on our page first and send it there. The links work for 30 days. If something is still wrong, answer this e-mail: that opens your ticket again.',
        '{{stop.link}}'
      )
    },
    'mail-refused': {
      subject: 'Your e-mail was not taken',
      text: paragraphs(
        'Thank you for writing to us. We take e-mails only from people who have an account at our support desk, and have none for this address.',
        'Please open one here, and write to us there:',
        '{{desk.url}}',
        'If you did not write to us, you need not do anything.'
      )
    },
    'follower-ticket': {
      subject: 'Re: [{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Please write your answer above this line -##{{/answerable}}',
        '{{messages}}',
        'You get this e-mail because you follow the ticket {{ticket.number}}.{{#answerable}} What you answer to it is added to the ticket.{{/answerable}} Stop these e-mails:',
        '{{stop.link}}'
      )
    },
    'ticket-copy': {
      subject: 'Re: [{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs('{{messages}}', 'You get a copy of this e-mail about the ticket {{ticket.number}}.')
    },
    'side-conversation': {
      subject: '{{#answer}}Re: {{/answer}}{{conversation.subject}}',
      text: paragraphs('{{messages}}', '{{thread}}')
    },
    'staff-ticket': {
      subject: '[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#back}}The ticket {{ticket.number}} is back: its snooze is over.{{/back}}{{#back_with_reason}} The reason was: {{snooze.reason}}{{/back_with_reason}}',
        '{{#late}}The ticket {{ticket.number}} is late: it was due at {{sla.due}}.{{/late}}{{#due_soon}}The ticket {{ticket.number}} is due soon, at {{sla.due}}.{{/due_soon}}',
        '{{#assigned}}{{assigned.by}} assigned the ticket {{ticket.number}} to you.{{/assigned}}',
        '{{#mentioned}}{{mentioned.by}} mentioned you in a note on the ticket {{ticket.number}}.{{/mentioned}}',
        '{{#partner_replied}}{{partner.name}} answered in a side conversation of the ticket {{ticket.number}}. The customer never sees it.{{/partner_replied}}',
        '{{messages}}',
        'You read and answer the ticket at the desk, where you can also say which of these e-mails you want.'
      )
    },
    'staff-notice': {
      subject: '[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs('{{messages}}', 'You read and answer the ticket at the desk.')
    },
    'staff-mail-limit': {
      subject: 'Too many e-mails come in',
      text: paragraphs(
        'More e-mails have come in to the support desk within an hour than its settings allow, from one sender, for one ticket or altogether. Those beyond the limit are held until somebody of the staff looks at them; none is lost.',
        'Look at the e-mails that are held. If there is a good reason for so many, raise MAX_MAILS_PER_SENDER, MAX_MAILS_PER_TICKET or MAX_MAILS_AN_HOUR.',
        'We tell you this at most once an hour.'
      )
    },
    'staff-mail-held': {
      subject: 'E-mails are held for you',
      text: paragraphs(
        'At least one e-mail to the support desk was not put into a ticket, because somebody has to look at it first. None is lost.',
        'Look at the e-mails that are held, and release or discard them:',
        '{{held.link}}',
        'We tell you this at most once a day, however many there are.'
      )
    },
    'staff-mailbox': {
      subject:
        '{{#broken}}The mailbox {{mailbox.address}} does not work{{/broken}}{{#working}}The mailbox {{mailbox.address}} works again{{/working}}',
      text: paragraphs(
        '{{#broken}}The mailbox {{mailbox.address}} of the support desk has not worked for five minutes: {{mailbox.error}}{{/broken}}',
        '{{#broken}}E-mails to it wait where they are, and those from it are sent as soon as it works again; none is lost. See what is wrong, and test it there:{{/broken}}',
        '{{#working}}The mailbox {{mailbox.address}} works again. What waited is on its way.{{/working}}',
        '{{mailbox.link}}'
      )
    },
    'staff-rule-paused': {
      subject: 'A rule was paused',
      text: paragraphs(
        'The rule “{{rule.name}}” was paused just now: one more run would have exceeded what a rule may do by itself.',
        'What it would have done is in the list of its runs. When you have looked at it, let it go on: it then follows what happens from that time on.'
      )
    },
    'staff-webhook-disabled': {
      subject: 'A webhook was turned off',
      text: paragraphs(
        'The webhook {{webhook.id}} to {{webhook.origin}} was turned off just now.{{#gone}} Its receiver answered 410, which says that it is gone for good.{{/gone}}{{#failing}} For five days every attempt to deliver to it has failed.{{/failing}}',
        'Nothing is queued for it while it is off. Once its receiver works again, turn the webhook on, and replay what it has missed since.'
      )
    }
  },
  desk: 'Support',
  links: { good: '👍 Good', bad: '👎 Not good', stop: 'Do not ask me again' },
  phoneCode:
    'Your support verification code is {{code}}. It works once, within {{code.valid_for}}. Never give it to anybody else.',
  wrote: '{{by}} wrote:',
  wroteOn: 'On {{date}}, {{by}} wrote:',
  dayMark: '',
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  filesElsewhere: 'Files that are not attached; you find them in your ticket, once you are logged in:',
  filesByLink: 'Files that are not attached; each link gives its file out for two weeks:',
  filesRefused: 'Left out, because the virus scanner objects to it:',
  leftOut: ['There was 1 more before these.', 'There were {{count}} more before these.'],
  durations: { day: ['day', 'days'], hour: ['hour', 'hours'], minute: ['minute', 'minutes'] }
}
