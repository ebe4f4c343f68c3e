import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { SwitchRow } from '../setting-row.tsx'
import settings from '../settings.module.css'
import styles from './mailboxes.module.css'
import { type Mailbox, saveMailbox } from './mailboxes.ts'

const ofSignature = ['staff.first_name', 'staff.last_name']
const ofAcknowledgement = ['ticket.number', 'ticket.link', 'desk.name', 'desk.url', 'desk.forgot_url']

/** What people see of an address, and what comes in there. */
export function IdentityForm({ mailbox }: { mailbox: Mailbox }) {
  const { id, signature, acknowledgement, acknowledges, is_default, unknown_senders, spam_folder } = mailbox
  const form = useForm(
    {
      en: signature.en ?? '',
      de: signature.de ?? '',
      ackEn: acknowledgement.en ?? '',
      ackDe: acknowledgement.de ?? '',
      unknown: unknown_senders ?? '',
      spam: spam_folder ?? ''
    },
    {
      failureText: adminFailureText,
      check: ({ en, de, ackEn, ackDe }) => ({
        en: unknownIn(en, ofSignature),
        de: unknownIn(de, ofSignature),
        ackEn: unknownIn(ackEn, ofAcknowledgement),
        ackDe: unknownIn(ackDe, ofAcknowledgement)
      })
    }
  )

  async function save() {
    const done = await form.submit(async ({ en, de, ackEn, ackDe, unknown, spam }) => {
      await saveMailbox(id, {
        signature: textsOf(en, de),
        acknowledgement: textsOf(ackEn, ackDe),
        unknown_senders: (unknown || null) as 'create' | 'verified' | 'hold' | 'refuse' | null,
        spam_folder: spam.trim() || null
      })
    })
    if (!done) return
    form.markSaved()
    announce(t('admin.saved'))
  }

  return (
    <section className={settings.card} aria-label={t('mailboxes.identity')}>
      <div className={styles.head}>
        <h2>{t('mailboxes.identity')}</h2>
      </div>
      <SwitchRow
        title={t('mailboxes.isDefault')}
        hint={t('mailboxes.isDefaultHint')}
        isOn={is_default === 1}
        onChange={isOn => saveMailbox(id, { is_default: isOn ? 1 : 0 })}
      />
      <SwitchRow
        title={t('mailboxes.acknowledges')}
        hint={t('mailboxes.acknowledgesHint')}
        isOn={acknowledges === 1}
        onChange={isOn => saveMailbox(id, { acknowledges: isOn ? 1 : 0 })}
      />
      <form
        className={settings.padded}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <div className={styles.two}>
          <TextArea
            {...form.field('en')}
            label={t('mailboxes.signatureEn')}
            hint={t('mailboxes.signatureHint', { first: '{{staff.first_name}}', last: '{{staff.last_name}}' })}
            rows={4}
            maxLength={2000}
          />
          <TextArea {...form.field('de')} label={t('mailboxes.signatureDe')} rows={4} maxLength={2000} />
          {acknowledges === 1 && (
            <>
              <TextArea
                {...form.field('ackEn')}
                label={t('mailboxes.acknowledgementEn')}
                hint={t('mailboxes.acknowledgementHint', {
                  ticket: '{{ticket.number}}',
                  link: '{{ticket.link}}',
                  desk: '{{desk.name}}'
                })}
                rows={4}
                maxLength={2000}
                optional
              />
              <TextArea
                {...form.field('ackDe')}
                label={t('mailboxes.acknowledgementDe')}
                rows={4}
                maxLength={2000}
                optional
              />
            </>
          )}
          <SelectField
            {...form.field('unknown')}
            label={t('admin.unknownSenders')}
            options={[
              { value: '', label: t('mailboxes.asTheDesk') },
              { value: 'create', label: t('admin.sendersCreate') },
              { value: 'verified', label: t('admin.sendersVerified') },
              { value: 'hold', label: t('admin.sendersHold') },
              { value: 'refuse', label: t('admin.sendersRefuse') }
            ]}
          />
          <TextField
            {...form.field('spam')}
            label={t('mailboxes.spamFolder')}
            hint={t('mailboxes.spamFolderHint')}
            optional
          />
        </div>
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <div className="row-x wrap">
          <Button type="submit" busy={form.isBusy} disabled={!form.isChanged}>
            {t('admin.save')}
          </Button>
        </div>
      </form>
    </section>
  )
}

function textsOf(en: string, de: string) {
  return { ...(en.trim() ? { en } : {}), ...(de.trim() ? { de } : {}) }
}

/** The message for a text that names what does not exist. */
function unknownIn(text: string, known: readonly string[]): string | false {
  const unknown = [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].find(([, name]) => !known.includes(name!))
  return unknown !== undefined && t('mailboxes.unknownPlaceholder', { name: unknown[0] })
}
