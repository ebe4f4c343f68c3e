import { smallPage } from '../../kit/small-page.ts'

export const invalidLinkPage = smallPage(
  'This link does not stop any e-mails',
  '<p>It may be an old one: a newer e-mail has one that works.</p>'
)

export const unsubscribedPage = smallPage(
  'You get no more e-mails about your tickets',
  '<p>E-mails about the safety of your account still come. You can turn the others on again in your account.</p>'
)

// Without an action the form posts to the URL of the page, including the token.
export const confirmUnsubscribePage = smallPage(
  'No more e-mails about your tickets?',
  '<form method="post"><button type="submit">Stop these e-mails</button></form>'
)

/** The same for followers of one ticket, who need no account. */
export const unfollowedPage = smallPage(
  'You get no more e-mails about this ticket',
  '<p>If you want them again, ask the support desk to add you.</p>'
)

export const confirmUnfollowPage = smallPage(
  'No more e-mails about this ticket?',
  '<form method="post"><button type="submit">Stop these e-mails</button></form>'
)
