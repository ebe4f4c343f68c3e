import { type FormEvent, useState } from 'react'
import { desk } from '../../app/desk.ts'
import { t } from '../../lib/strings.ts'

export function SignInPage() {
  const [refusal, setRefusal] = useState<string>()

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const credentials = { email: String(fields.get('email')), password: String(fields.get('password')) }
    await desk.signIn({ ...credentials, population: 'client' }).catch(() => setRefusal(t('shared.signInRefused')))
  }

  return (
    <main>
      <h1>{t('shared.signIn')}</h1>
      <form onSubmit={signIn}>
        <label>
          {t('shared.email')} <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          {t('shared.password')} <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit">{t('shared.signIn')}</button>
        {refusal && <p role="alert">{refusal}</p>}
      </form>
    </main>
  )
}
