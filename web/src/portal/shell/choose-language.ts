import { desk } from '../../app/desk.ts'
import { currentMe } from '../../app/me.ts'
import { chooseLanguage, type Language } from '../../lib/strings.ts'

const patienceMilliseconds = 3_000

/** Shows the pages in another language. Who is signed in gets their e-mails in it as well, where that can be written in a moment. */
export async function choose(language: Language): Promise<void> {
  if (currentMe()) {
    const written = desk
      .POST('/api/account/profile/update', { body: { language: language === 'de' ? 'de' : 'en' } })
      .catch(() => undefined)
    await Promise.race([written, new Promise(resolve => setTimeout(resolve, patienceMilliseconds))])
  }
  chooseLanguage(language)
}
