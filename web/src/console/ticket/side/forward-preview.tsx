import type { BodyOf } from '@deskline/client'
import { useApiQuery } from '../../../app/api-queries.ts'
import { EmailFrame } from '../../../app/email-frame.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { sizeText } from '../../../lib/files.ts'
import { t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { sideFailureText } from './refusal-text.ts'
import styles from './side.module.css'

interface ForwardPreviewProps {
  given: BodyOf<'/api/admin/tickets/forward/preview'>
  /** New files, which the service does not know yet. */
  uploads: readonly File[]
  onClose(): void
}

/** The e-mail that the third party gets, exactly. */
export function ForwardPreview({ given, uploads, onClose }: ForwardPreviewProps) {
  const query = useApiQuery('/api/admin/tickets/forward/preview', given, { retry: false, gcTime: 0 })
  return (
    <Dialog title={t('side.preview')} open onClose={onClose} size={620}>
      {query.error ? (
        <Banner tone="bad">{sideFailureText(query.error)}</Banner>
      ) : (
        <QueryState query={query}>
          {({ from, to, cc, subject, html, attachments }) => {
            const files = [
              ...attachments.map(({ file_name: name, file_size: size }) => ({ name, size })),
              ...uploads
            ].map(({ name, size }) => `${name} (${sizeText(size)})`)
            return (
              <>
                <dl className={styles.envelope}>
                  <Line name={t('side.from')} value={from} />
                  <Line name={t('side.to')} value={listText(to)} />
                  {cc.length > 0 && <Line name="Cc" value={listText(cc)} />}
                  <Line name={t('side.subject')} value={subject} />
                  {files.length > 0 && <Line name={t('side.files')} value={listText(files)} />}
                </dl>
                <div className={styles.email}>
                  <EmailFrame html={html} title={subject} />
                </div>
              </>
            )
          }}
        </QueryState>
      )}
    </Dialog>
  )
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  )
}
