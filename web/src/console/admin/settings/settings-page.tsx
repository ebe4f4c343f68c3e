import { type ReactNode, useEffect, useRef } from 'react'
import { useMe } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from './desk-settings.tsx'
import { EmailSettings } from './email-settings.tsx'
import { PersonalSettings } from './personal-settings.tsx'
import styles from './settings.module.css'

/** The whole desk (for admins), this browser, and the e-mails one gets. `/settings/you` and `/settings/emails` lead to their part. */
export function SettingsPage() {
  const me = useMe()
  const { part } = useParams<{ part?: string }>()
  return (
    <AdminPage title={t('admin.settings')} width="settings">
      <div className={styles.parts}>
        {me.isAdmin && (
          <Part title={t('admin.wholeDesk')} isWanted={false}>
            <DeskSettings />
          </Part>
        )}
        <Part title={t('admin.youHere')} isWanted={part === 'you'}>
          <PersonalSettings />
        </Part>
        <Part title={t('admin.emailsToYou')} isWanted={part === 'emails'}>
          <EmailSettings />
        </Part>
      </div>
    </AdminPage>
  )
}

function Part({ title, isWanted, children }: { title: string; isWanted: boolean; children: ReactNode }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isWanted) section.current?.scrollIntoView()
  }, [isWanted])
  return (
    <section ref={section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
