import { Image } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { failureText, hasReason } from '../../../app/failures.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from '../settings.module.css'

const types = ['image/png', 'image/jpeg', 'image/webp']
const mostBytes = 256 * 1024

/** The logo of the desk. It is stored at once; a file that does not fit is refused before the upload. */
export function LogoField() {
  const shown = useApiQuery('/api/desk', {})
  const picker = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const url = shown.data?.logo_url

  async function run(work: () => Promise<unknown>, said: string) {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      await reloadQueries('/api/desk')
      announce(said)
    } catch (cause) {
      setError(hasReason(cause, 'logo_refused') ? t('admin.logoKinds') : failureText(cause))
    } finally {
      setBusy(false)
    }
  }

  function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    if (!types.includes(file.type)) return setError(t('admin.logoKinds'))
    if (file.size > mostBytes) return setError(t('admin.logoTooLarge', { kilobytes: Math.ceil(file.size / 1024) }))
    void run(() => post('/api/admin/settings/logo', {}, { files: { logo: file } }), t('admin.logoSet'))
  }

  return (
    <div className={styles.logo}>
      <span className={styles.logoFrame}>
        {url ? <img src={url} alt={t('admin.logoNow')} /> : <Image size={20} aria-hidden />}
      </span>
      <div>
        <p className={styles.title}>{t('admin.logo')}</p>
        <p className={styles.hint}>{t('admin.logoHint')}</p>
        <div className={styles.acts}>
          <Button busy={isBusy} onClick={() => picker.current?.click()}>
            {url ? t('admin.otherLogo') : t('admin.chooseLogo')}
          </Button>
          {url && (
            <Button
              variant="quiet"
              busy={isBusy}
              onClick={() => void run(() => post('/api/admin/settings/logo/delete'), t('admin.logoRemoved'))}
            >
              {t('admin.removeLogo')}
            </Button>
          )}
        </div>
        <input
          ref={picker}
          type="file"
          accept={types.join()}
          onChange={choose}
          hidden
          aria-label={t('admin.chooseLogo')}
          data-testid="logo"
        />
        {error && <Banner tone="bad">{error}</Banner>}
      </div>
    </div>
  )
}
