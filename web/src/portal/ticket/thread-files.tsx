import { useEffect, useRef, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { ownAddress } from '../../lib/own-address.ts'
import { AttachmentTile } from '../../ui/attachments.tsx'
import styles from './thread.module.css'
import type { Thread } from './thread.ts'

type Attachment = Thread['messages'][number]['attachments'][number]

/** A signed link is renewed before it expires, so that the visible link always works. */
const renewMilliseconds = 4 * 60_000

/** The files of a message. Each link is signed for the reader when its file becomes visible. */
export function ThreadFiles({ files }: { files: Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      {files.map(file => (
        <ThreadFile key={file.id} file={file} />
      ))}
    </ul>
  )
}

function ThreadFile({ file: { id, file_name, file_size, file_type } }: { file: Attachment }) {
  const [item, isSeen] = useSeen()
  const { data: href } = useApiQuery(
    '/api/tickets/attachment-link',
    { id },
    {
      enabled: isSeen,
      staleTime: renewMilliseconds,
      refetchInterval: renewMilliseconds,
      select: ({ url }) => ownAddress(url)
    }
  )
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(file_type)
  // A newer link would load the same picture again.
  const picture = useRef<string>(undefined)
  if (isPicture) picture.current ??= href
  return (
    <li ref={item}>
      <AttachmentTile name={file_name} size={file_size} type={file_type} href={href} thumbnail={picture.current} />
    </li>
  )
}

function useSeen(): [React.RefObject<HTMLLIElement | null>, boolean] {
  const item = useRef<HTMLLIElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(item.current!)
    return () => observer.disconnect()
  }, [])
  return [item, isSeen]
}
