import type { BodyOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { type Key, t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type EventKind, kindGroups } from '../event-kinds.ts'
import forms from '../forms.module.css'
import { SecretDialog } from '../secret-dialog.tsx'
import { refreshWebhooks, type Webhook } from './webhooks.ts'

type Facts = BodyOf<'/api/admin/webhooks/create'>

/** Creates a webhook, whose secret is shown once, or edits one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const former = (webhook?.kinds ?? []) as EventKind[]
  const [kinds, setKinds] = useState(() => new Set(former))
  const [hasText, setHasText] = useState(webhook?.include_text === 1)
  const [hasNotes, setHasNotes] = useState(webhook?.include_notes === 1)
  const [hasStaffFields, setHasStaffFields] = useState(webhook?.include_staff_fields === 1)
  const [secret, setSecret] = useState<string>()
  const form = useForm(
    { url: webhook?.url ?? '' },
    {
      problems: { url: t('admin.urlUnfit') },
      reasons: { webhook_url_refused: { url: t('admin.urlRefused') } },
      failureText: adminFailureText
    }
  )

  async function save({ url }: typeof form.values) {
    const flag = (isSet: boolean) => (isSet ? 1 : 0)
    const facts = {
      url,
      kinds: [...kinds],
      include_text: flag(hasText),
      include_notes: flag(hasNotes),
      include_staff_fields: flag(hasStaffFields)
    } satisfies Facts
    let made: string | undefined
    if (webhook) {
      const body = { id: webhook.id, expected_version: webhook.version, ...facts }
      await post('/api/admin/webhooks/update', body)
    } else made = (await post('/api/admin/webhooks/create', facts)).secret
    void refreshWebhooks()
    announce(t('admin.saved'))
    setSecret(made)
    return made && 'stay'
  }

  const isChanged =
    hasText !== (webhook?.include_text === 1) ||
    hasNotes !== (webhook?.include_notes === 1) ||
    hasStaffFields !== (webhook?.include_staff_fields === 1) ||
    kinds.size !== former.length ||
    former.some(kind => !kinds.has(kind))
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={webhook ? t('admin.editWebhook') : t('admin.addWebhook')}
      size={620}
      form={form}
      isChanged={isChanged}
      saveLabel={webhook ? t('admin.save') : t('admin.addWebhook')}
      busyLabel={t('admin.saving')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={t('admin.address')}
        type="url"
        hint={t('admin.addressHint')}
        placeholder="https://"
        autoComplete="off"
        {...form.field('url')}
      />
      <KindChoice kinds={kinds} onChange={setKinds} />
      <fieldset className={forms.stack}>
        <legend>{t('admin.whatIsSent')}</legend>
        <Checkbox label={t('admin.sendText')} hint={t('admin.sendTextHint')} checked={hasText} onChange={setHasText} />
        <Checkbox
          label={t('admin.sendNotes')}
          hint={t('admin.sendNotesHint')}
          checked={hasNotes}
          onChange={setHasNotes}
        />
        <Checkbox
          label={t('admin.sendStaffFields')}
          hint={t('admin.sendNotesHint')}
          checked={hasStaffFields}
          onChange={setHasStaffFields}
        />
      </fieldset>
    </FormDialog>
  )
}

interface KindChoiceProps {
  kinds: ReadonlySet<EventKind>
  onChange: (kinds: Set<EventKind>) => void
}

/** Which events; none chosen means all. */
function KindChoice({ kinds, onChange }: KindChoiceProps) {
  function set(which: readonly EventKind[], isChosen: boolean) {
    const next = new Set(kinds)
    for (const kind of which) {
      if (isChosen) next.add(kind)
      else next.delete(kind)
    }
    onChange(next)
  }

  return (
    <fieldset className={forms.stack}>
      <legend>
        {t('admin.events')}{' '}
        <span className={forms.hint}>
          {kinds.size === 0 ? t('admin.noneMeansAll') : t('admin.chosenCount', { count: kinds.size })}
        </span>
      </legend>
      {kindGroups.map(([group, all]) => {
        const chosen = all.filter(kind => kinds.has(kind)).length
        return (
          <details key={group} className={forms.fold}>
            <summary>
              {t(`admin.kinds.${group}` as Key)}{' '}
              {chosen > 0 && (
                <span className={forms.hint}>{t('admin.countOf', { count: chosen, total: all.length })}</span>
              )}
            </summary>
            <div className={forms.kinds}>
              <Checkbox
                label={t('admin.allOfThem')}
                checked={chosen === all.length}
                mixed={chosen > 0 && chosen < all.length}
                onChange={isChosen => set(all, isChosen)}
              />
              {all.map(kind => (
                <Checkbox
                  key={kind}
                  label={<code>{kind}</code>}
                  checked={kinds.has(kind)}
                  onChange={isChosen => set([kind], isChosen)}
                />
              ))}
            </div>
          </details>
        )
      })}
    </fieldset>
  )
}
