import type { DataOf } from '@deskline/client'
import { useMemo, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { setLoadsPictures, useLoadsPictures } from '../preferences.ts'
import styles from './message-email.module.css'

const tallest = 1200

type Picture = DataOf<'/api/admin/mail/pictures'>['pictures'][number]

interface OriginalMailProps {
  html: string
  sender: string
  name: string
  /** Whether the e-mail is theirs, beyond what its From says. */
  isVerified: boolean
  /** Undefined if the raw message is no longer kept. */
  mailId: number | undefined
}

/**
 * The original HTML of an e-mail. The service loads its pictures that lie elsewhere if the reader wants them: once, or always from this sender, which
 * does not apply to an e-mail that may be of somebody else.
 */
export function OriginalMail({ html, sender, name, isVerified, mailId }: OriginalMailProps) {
  const { id: me } = useMe()
  const isAlways = useLoadsPictures(me, sender)
  const [isOnce, setIsOnce] = useState(false)
  const count = useMemo(() => html.match(remoteImage)?.length ?? 0, [html])
  const isWanted = mailId !== undefined && count > 0 && ((isAlways && isVerified) || isOnce)
  const query = useApiQuery(
    '/api/admin/mail/pictures',
    { id: mailId! },
    { enabled: isWanted, retry: false, staleTime: Number.POSITIVE_INFINITY }
  )
  const pictures = isWanted ? query.data?.pictures : undefined
  const missing = count - (pictures?.length ?? 0)
  return (
    <>
      <MailFrame html={html} pictures={pictures} />
      {count > 0 && (
        <div className={styles.choice} role="status">
          {query.isFetching ? (
            <span>{t('thread.picturesLoading')}</span>
          ) : (
            missing > 0 && (
              <span>{query.error ? failureText(query.error) : missingText(missing, pictures !== undefined)}</span>
            )
          )}
          {isAlways && !isVerified && <span>{t('thread.picturesUncertain', { name })}</span>}
          {mailId !== undefined && missing > 0 && !query.isFetching && (
            <Button variant="quiet" size="sm" onClick={() => (isWanted ? void query.refetch() : setIsOnce(true))}>
              {t(isWanted ? 'shared.tryAgain' : 'thread.picturesOnce')}
            </Button>
          )}
          {mailId !== undefined && (isVerified || isAlways) && (
            <Button
              variant="quiet"
              size="sm"
              onClick={() => {
                setIsOnce(isWanted && isAlways)
                setLoadsPictures(me, sender, !isAlways)
              }}
            >
              {t(isAlways ? 'thread.picturesNotAlways' : 'thread.picturesAlways', { name })}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function missingText(count: number, wereAsked: boolean): string {
  return t(wereAsked ? 'thread.picturesFailed' : 'thread.picturesNotLoaded', { count })
}

/** In sanitized HTML no attribute contains a `>`. */
const remoteImage = /<img[^>]* data-remote="\d+"/g

function withPictures(html: string, pictures: readonly Picture[]): string {
  const sources = new Map(pictures.map(({ number, type, content }) => [number, `data:${type};base64,${content}`]))
  return html.replace(remoteImage, image => {
    const source = sources.get(Number(/ data-remote="(\d+)"/.exec(image)![1]))
    return source ? `${image} src="${source}"` : image
  })
}

/**
 * The sanitized HTML of the e-mail in a frame that runs no scripts, while the pages behind its links may run theirs. The policy of this page also
 * applies inside, so nothing is loaded from elsewhere. It has our origin only so that its height and styles can be set from here.
 */
function MailFrame({ html, pictures }: { html: string; pictures: readonly Picture[] | undefined }) {
  const source = useMemo(() => withPictures(withoutStyleAttributes(html), pictures ?? []), [html, pictures])
  return (
    <iframe
      className={styles.original}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      title={t('thread.original')}
      srcDoc={`<base target="_blank"><link rel="stylesheet" href="/mail.css">${source}`}
      onLoad={event => show(event.currentTarget)}
    />
  )
}

/** The policy forbids style attributes, but not styles that a script sets. In sanitized HTML no attribute contains a `>`. */
function withoutStyleAttributes(html: string): string {
  return html.replace(/<[a-z][^>]*>/gi, tag => tag.replace(/ style="/gi, ' data-style="'))
}

function show(frame: HTMLIFrameElement): void {
  const body = frame.contentDocument?.body
  if (!body) return
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style!
  frame.style.blockSize = `${Math.min(tallest, body.scrollHeight + 2)}px`
}
