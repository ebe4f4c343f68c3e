import { CornerUpRight } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import styles from './composer.module.css'

interface QuoteNoticeProps {
  quote: string
  client: string
  onTakeOut(): void
}

/** That the reply has words of a third party, which the client is going to read. */
export function QuoteNotice({ quote, client, onTakeOut }: QuoteNoticeProps) {
  return (
    <div className={styles.notice}>
      <Banner icon={CornerUpRight} action={{ label: t('thread.takeOutQuote'), onClick: onTakeOut }}>
        {t('thread.linesFromSide', { count: quote.split('\n').length, client })}
      </Banner>
    </div>
  )
}
