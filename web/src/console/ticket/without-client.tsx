import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { StopPanel } from './stop-panel.tsx'

interface WithoutClientProps {
  client: string
  onSend(): void
  onPutBack(): void
  onLeave(): void
}

/** Asked once before a reply goes to others than the client. */
export function WithoutClient({ client, onSend, onPutBack, onLeave }: WithoutClientProps) {
  return (
    <StopPanel
      title={t('thread.withoutClient', { client })}
      text={t('thread.withoutClientText', { client })}
      onLeave={onLeave}
      actions={
        <>
          <Button variant="primary" onClick={onSend}>
            {t('thread.sendWithout', { client })}
          </Button>
          <Button onClick={onPutBack}>{t('thread.putClientBack', { client })}</Button>
        </>
      }
    />
  )
}
