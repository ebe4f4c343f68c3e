import { type FormEvent, useRef } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useForm } from '../../app/form.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { insertAsTyped } from '../../lib/insert-as-typed.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import styles from './account.module.css'

type Texts = { en: string; de: string }
const placeholders = ['staff.first_name', 'staff.last_name'] as const

/** What stands below one's e-mails to clients, in each language, and how it goes out. */
export function SignatureForm() {
  const kept = useApiQuery('/api/account/signature')
  return (
    <QueryState query={kept}>
      {({ signature }) => <Texts texts={{ en: signature.texts.en ?? '', de: signature.texts.de ?? '' }} />}
    </QueryState>
  )
}

function Texts({ texts }: { texts: Texts }) {
  const form = useForm<Texts>(texts, {
    problems: { en: t('account.signatureRefused'), de: t('account.signatureRefused') }
  })
  const saving = useApiMutation('/api/account/signature/update', { changes: ['/api/account/signature'] })

  async function save(event: FormEvent) {
    const isSaved = await form.submit(async texts => await saving.mutateAsync({ texts }), event)
    if (!isSaved) return
    form.markSaved()
    announce(t('account.signatureSaved'))
  }

  return (
    <form onSubmit={save} className={styles.form} noValidate>
      <SignatureText label={t('account.signatureEnglish')} {...form.field('en')} />
      <SignatureText label={t('account.signatureGerman')} {...form.field('de')} />
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <div className="row-x wrap">
        <Button type="submit" variant="primary" busy={form.isBusy} busyLabel={t('account.saving')}>
          {t('account.saveSignature')}
        </Button>
      </div>
    </form>
  )
}

interface SignatureTextProps {
  label: string
  name: string
  value: string
  error: string | undefined
  onChange(value: string): void
}

function SignatureText({ label, value, ...field }: SignatureTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { profile } = useMe()
  const filled = value
    .replaceAll('{{staff.first_name}}', profile.first_name)
    .replaceAll('{{staff.last_name}}', profile.last_name)
  const insert = (name: string) => {
    const { current } = area
    if (current) insertAsTyped(current, `{{${name}}}`, current.selectionStart, current.selectionEnd)
  }
  return (
    <>
      <TextArea ref={area} label={label} value={value} rows={3} maxLength={2000} {...field} />
      <div className="row-x wrap">
        {placeholders.map(name => (
          <Button key={name} size="sm" onClick={() => insert(name)}>
            {t(name === 'staff.first_name' ? 'account.insertFirstName' : 'account.insertLastName')}
          </Button>
        ))}
      </div>
      {filled.trim() !== '' && (
        <figure className={styles.preview}>
          <figcaption>{t('account.signaturePreview')}</figcaption>
          <p dir="auto">{filled}</p>
        </figure>
      )}
    </>
  )
}
