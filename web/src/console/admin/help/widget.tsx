import { Copy } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { copyText } from '../../../app/copy-text.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { Time } from '../../../ui/time.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import forms from '../forms.module.css'
import type { Settings } from '../save-settings.ts'
import { SecretDialog } from '../secret-dialog.tsx'
import { SettingPlace, SettingRow } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { useListForm } from './use-list-form.ts'

/** The contact widget: which sites may show it, what they put into their pages, and the secret by which they say who their visitor is. */
export function Widget(current: { settings: Settings; version: number }) {
  const problem = t('admin.widgetOriginsUnfit')
  const form = useListForm(current, { name: 'widget_origins', between: '\n', problem, read: originOf })
  const snippet = `<script src="${location.origin}/widget.js" async></script>`
  return (
    <>
      <div className={`${styles.card} ${styles.padded}`}>
        <h2>{t('admin.widget')}</h2>
        <p className={styles.hint}>{t('admin.widgetHint')}</p>
        <SettingsForm form={form}>
          <SettingPlace setting="widgetOrigins">
            <TextArea
              label={t('admin.widgetOrigins')}
              optional
              hint={t('admin.widgetOriginsHint')}
              placeholder="https://www.example.com"
              rows={3}
              spellCheck={false}
              {...form.field('widget_origins')}
            />
          </SettingPlace>
        </SettingsForm>
        <div>
          <p className={styles.title}>{t('admin.widgetSnippet')}</p>
          <Copied text={snippet} />
        </div>
      </div>
      <div className={styles.card}>
        <Secret />
      </div>
    </>
  )
}

/** What is typed as people write it: with a path, or with capitals. */
function originOf(typed: string): string {
  const url = URL.parse(typed)
  return url && /^https?:$/.test(url.protocol) ? url.origin : typed
}

function Copied({ text }: { text: string }) {
  return (
    <div className={forms.secret}>
      <code>{text}</code>
      <Button icon={Copy} onClick={() => void copyText(text)}>
        {t('account.copy')}
      </Button>
    </div>
  )
}

function Secret() {
  const query = useApiQuery('/api/admin/widget/detail', {})
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <QueryState query={query}>
      {({ widget: { secret_created_at: since, former_secret_until: until } }) => (
        <>
          <SettingRow
            setting="widgetSecret"
            title={t('admin.widgetSecret')}
            hint={
              <>
                {t('admin.widgetSecretHint')} {since && t('admin.widgetSecretSince')}{' '}
                {since && <Time at={since} style="inText" />}
                {until && (
                  <>
                    {' '}
                    {t('admin.widgetFormer')} <Time at={until} style="inText" />
                  </>
                )}
              </>
            }
          >
            <Button onClick={() => setAsking(true)}>{t(since ? 'admin.widgetRotate' : 'admin.widgetMake')}</Button>
          </SettingRow>
          {isAsking && (
            <NewSecret
              hasFormer={since !== null}
              onMade={made => {
                setAsking(false)
                setSecret(made)
              }}
              onClose={() => setAsking(false)}
            />
          )}
          {secret !== undefined && (
            <SecretDialog
              secret={secret}
              title={t('admin.widgetSecret')}
              text={t('admin.widgetSecretText')}
              onClose={() => setSecret(undefined)}
            />
          )}
        </>
      )}
    </QueryState>
  )
}

interface NewSecretProps {
  hasFormer: boolean
  onMade: (secret: string) => void
  onClose: () => void
}

function NewSecret({ hasFormer, onMade, onClose }: NewSecretProps) {
  const [endsFormer, setEndsFormer] = useState(false)
  return (
    <AsyncConfirmDialog
      title={t(hasFormer ? 'admin.widgetRotate' : 'admin.widgetMake')}
      text={t(hasFormer ? 'admin.widgetRotateText' : 'admin.widgetMakeText')}
      isHarmless
      confirmLabel={t('admin.widgetMake')}
      keepLabel={t('admin.discard')}
      onConfirm={async () => {
        const { secret } = await post('/api/admin/widget/rotate', { end_former: endsFormer ? 1 : 0 })
        await reloadQueries('/api/admin/widget/detail')
        onMade(secret)
      }}
      onClose={onClose}
    >
      {hasFormer && <Checkbox label={t('admin.widgetEndFormer')} checked={endsFormer} onChange={setEndsFormer} />}
    </AsyncConfirmDialog>
  )
}
