import { post } from '../../app/api-client.ts'
import { currentMe } from '../../app/me.ts'
import { loadSession } from '../../app/session.ts'
import { chooseLanguage, type Language } from '../../lib/strings.ts'

const saveTimeoutMilliseconds = 3_000

/** Reloads the pages in another language. It is also stored as the language of e-mails to the signed-in person, if that succeeds quickly. */
export async function switchLanguage(language: Language): Promise<void> {
  const written = writeProfile(language === 'de' ? 'de' : 'en').catch(() => undefined)
  await Promise.race([written, new Promise(resolve => setTimeout(resolve, saveTimeoutMilliseconds))])
  chooseLanguage(language)
}

async function writeProfile(language: 'en' | 'de'): Promise<void> {
  // The session may still be loading.
  await loadSession()
  if (currentMe()) await post('/api/account/profile/update', { language })
}
