import { DesklineError } from '@deskline/client'
import { useQuery } from '@tanstack/react-query'
import { Clock, FileText, Film, Image, Lock } from 'lucide-react'
import { type MouseEvent, useCallback, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { sizeText } from '../../lib/files.ts'
import { ownAddress } from '../../lib/own-address.ts'
import { t } from '../../lib/strings.ts'
import styles from './attachments.module.css'
import type { Attachment } from './thread-types.ts'

/** The files of a message. Each is fetched by a link that the service signs for this session. */
export function AttachmentList({ files }: { files: Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      {files.map(file => (
        <li key={file.id}>
          <AttachmentLink file={file} />
        </li>
      ))}
    </ul>
  )
}

/** A file of a message as a new file, to go along with another message. Throws `DesklineError`. */
export async function copyOf({ id, file_name, file_type }: Attachment): Promise<File> {
  const found = await fetch((await linkTo(id).queryFn()).url)
  if (!found.ok) throw new DesklineError({ message: '', status: found.status, reason: 'file_not_found' })
  return new File([await found.blob()], file_name, { type: file_type })
}

type Trouble = 'checking' | 'quarantined' | { error: unknown }

function AttachmentLink({ file }: { file: Attachment }) {
  const isImage = /^image\/(png|jpe?g|gif|webp|avif)$/.test(file.file_type)
  const [trouble, setTrouble] = useState<Trouble>()
  const [wanted, setWanted] = useState(isImage)
  const link = useQuery({ ...linkTo(file.id), enabled: wanted && !trouble })
  const anchor = useRef<HTMLAnchorElement>(null)

  const look = useCallback(async () => {
    try {
      const { url } = await linkTo(file.id).queryFn()
      const found = await fetch(url, { method: 'HEAD' })
      setTrouble(troubleOf(found.status))
      return found.ok ? url : undefined
    } catch (error) {
      setTrouble({ error })
    }
  }, [file.id])

  async function open(event: MouseEvent) {
    // A loaded link works like any link, also in a new tab.
    if (link.data && !trouble) return
    event.preventDefault()
    const url = await look()
    if (url) location.assign(url)
  }

  return (
    <a
      ref={anchor}
      className={styles.file}
      href={link.data?.url ?? file.file_path}
      download={isImage ? undefined : file.file_name}
      target={isImage ? '_blank' : undefined}
      rel="noopener"
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onClick={event => void open(event)}
    >
      <span className={styles.thumb}>
        {isImage && link.data && !trouble ? (
          <img src={link.data.url} alt="" loading="lazy" onError={() => void look()} />
        ) : (
          <FileIcon file={file} trouble={trouble} />
        )}
      </span>
      <span className={styles.words}>
        <b>
          <bdi>{file.file_name}</bdi>
        </b>
        <span className={trouble ? styles.trouble : styles.size}>{textOf(file, trouble)}</span>
      </span>
    </a>
  )
}

function FileIcon({ file, trouble }: { file: Attachment; trouble: Trouble | undefined }) {
  if (trouble === 'checking') return <Clock size={16} aria-hidden />
  if (trouble === 'quarantined') return <Lock size={16} aria-hidden />
  if (file.file_type.startsWith('image/')) return <Image size={16} aria-hidden />
  if (file.file_type.startsWith('video/')) return <Film size={16} aria-hidden />
  return <FileText size={16} aria-hidden />
}

function textOf(file: Attachment, trouble: Trouble | undefined): string {
  if (trouble === 'checking') return t('thread.fileChecking')
  if (trouble === 'quarantined') return t('thread.fileQuarantined')
  return trouble ? failureText(trouble.error) : sizeText(file.file_size)
}

function troubleOf(status: number): Trouble | undefined {
  if (status < 400) return undefined
  if (status === 503) return 'checking'
  if (status === 410) return 'quarantined'
  return { error: new DesklineError({ message: '', status, reason: 'file_not_found' }) }
}

/** Links are valid for five minutes, and are renewed before that. */
function linkTo(id: number) {
  return {
    queryKey: ['attachment-link', id],
    queryFn: async () => {
      const { url } = await post('/api/tickets/attachment-link', { id })
      return { url: ownAddress(url) }
    },
    staleTime: 240_000,
    refetchInterval: 240_000
  }
}
