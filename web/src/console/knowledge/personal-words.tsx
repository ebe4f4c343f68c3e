import type { DataOf } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import styles from './knowledge.module.css'

export type TicketDraft = DataOf<'/api/admin/kb/tickets/draft'>['draft']

interface PersonalWordsProps {
  words: TicketDraft['personal']
  /** What stands in the article now. */
  text: string
  onFind(word: string): void
}

/** The names, addresses and numbers that are still in a text that was made of a ticket. Each leads to its next place in it. */
export function PersonalWords({ words, text, onFind }: PersonalWordsProps) {
  const left = words.filter(word => text.includes(word.text))
  if (left.length === 0) return <Banner tone="good">{t('knowledge.nothingPersonal')}</Banner>
  return (
    <Banner tone="warn">
      <p>{t('knowledge.personalLeft', { count: left.length })}</p>
      <ul className={styles.personal}>
        {left.map(({ text: word, kind }) => (
          <li key={word}>
            <button type="button" className="chip" onClick={() => onFind(word)}>
              <bdi>{word}</bdi> <span className="muted">{t(`knowledge.personal.${kind}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
