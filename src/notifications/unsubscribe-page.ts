import { smallPage } from '../kit/small-page.ts'

export const unknownPage = smallPage(
  'This link does not stop any e-mails',
  '<p>It may be an old one: a newer e-mail has one that works.</p>'
)

export const endedPage = smallPage(
  'You get no more e-mails about your tickets',
  '<p>E-mails about the safety of your account still come. You can turn the others on again in your account.</p>'
)

// Without an action the form goes to the address of the page, token and all.
export const questionPage = smallPage(
  'No more e-mails about your tickets?',
  '<form method="post"><button type="submit">Stop these e-mails</button></form>'
)
