import { post } from '../../app/api-client.ts'
import { currentMe } from '../../app/me.ts'
import { loadSession } from '../../app/session.ts'
import { chooseLanguage, type Language } from '../../lib/strings.ts'

const saveTimeoutMilliseconds = 3_000

/** Shows the pages in another language. Who is signed in gets their e-mails in it as well, where that can be written in a moment. */
export async function switchLanguage(language: Language): Promise<void> {
  const written = writeProfile(language === 'de' ? 'de' : 'en').catch(() => undefined)
  await Promise.race([written, new Promise(resolve => setTimeout(resolve, saveTimeoutMilliseconds))])
  chooseLanguage(language)
}

async function writeProfile(language: 'en' | 'de'): Promise<void> {
  // The page may only just have been opened.
  await loadSession()
  if (currentMe()) await post('/api/account/profile/update', { language })
}
