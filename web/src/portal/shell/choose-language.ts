import { desk } from '../../app/desk.ts'
import { currentMe } from '../../app/me.ts'
import { sessionStarted } from '../../app/session.tsx'
import { chooseLanguage, type Language } from '../../lib/strings.ts'

const patienceMilliseconds = 3_000

/** Shows the pages in another language. Who is signed in gets their e-mails in it as well, where that can be written in a moment. */
export async function choose(language: Language): Promise<void> {
  const written = writeProfile(language === 'de' ? 'de' : 'en').catch(() => undefined)
  await Promise.race([written, new Promise(resolve => setTimeout(resolve, patienceMilliseconds))])
  chooseLanguage(language)
}

async function writeProfile(language: 'en' | 'de'): Promise<void> {
  // The page may only just have been opened.
  await sessionStarted()
  if (currentMe()) await desk.POST('/api/account/profile/update', { body: { language } })
}
