import { File as AnyFile, FileText, Film, Image, Paperclip, TriangleAlert, X } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { defaultLimits, type FileFault, type FileLimits, fileFaultOf, pastedFiles, sizeText } from '../lib/files.ts'
import { t } from '../lib/strings.ts'
import { announce } from './announce.ts'
import './attachments.css'
import { Button, IconButton } from './button.tsx'
import type { Icon } from './icon.tsx'

interface AttachmentTileProps {
  name: string
  size: number
  type?: string | undefined
  /** A signed link. */
  href?: string | undefined
  /** The URL of a picture's preview: a signed link, or an object URL of the browser. */
  thumbnail?: string | undefined
  /** The upload progress from 0 to 1. */
  progress?: number | undefined
  /** Why the file is refused: "31 MB, at most 25 MB". */
  refusal?: string | undefined
  onRemove?: (() => void) | undefined
}

/** A file and its state. */
export function AttachmentTile(props: AttachmentTileProps) {
  const { name, size, type, href, thumbnail, progress, refusal, onRemove } = props
  const Shown = refusal ? TriangleAlert : iconOf(type ?? '', name)
  const inside = (
    <>
      <span className="thumb">
        {thumbnail && !refusal ? <img src={thumbnail} alt="" loading="lazy" /> : <Shown size={16} aria-hidden />}
      </span>
      <span className="about">
        <b title={name}>
          <bdi>{name}</bdi>
        </b>
        <small>{progress === undefined ? (refusal ?? sizeText(size)) : progressWords(name, progress)}</small>
      </span>
    </>
  )
  if (href)
    return (
      <a className="file" href={href} target="_blank" rel="noopener">
        {inside}
      </a>
    )
  return (
    <span className={refusal ? 'file bad' : 'file'}>
      {inside}
      {onRemove && <IconButton icon={X} label={t('ui.removeNamed', { name })} onClick={onRemove} />}
    </span>
  )
}

interface FileListProps {
  files: File[]
  limits?: FileLimits
  /** The upload progress of all files from 0 to 1. */
  progress?: number | undefined
  onRemove?: ((file: File) => void) | undefined
}

/** The files to send, each with why it would be refused. */
export function FileList({ files, limits, progress, onRemove }: FileListProps) {
  if (files.length === 0) return null
  return (
    <ul className="files" aria-label={t('ui.files')}>
      {files.map((file, index) => (
        <li key={`${file.name}/${file.size}/${file.lastModified}`}>
          <FileTile file={file} place={index} limits={limits} progress={progress} onRemove={onRemove} />
        </li>
      ))}
    </ul>
  )
}

/** The message for a refused file; undefined if the file is accepted. */
export function refusalText(file: File, place: number, limits: FileLimits = defaultLimits): string | undefined {
  const fault = fileFaultOf(file, place, limits)
  return fault && t(faultKeys[fault], { size: sizeText(file.size), most: sizeText(limits.bytes), count: limits.count })
}

interface FilePickerProps {
  onFiles: (files: File[]) => void
  /** An icon in the composer, a button in forms. */
  look?: 'icon' | 'button'
  label?: string
  disabled?: boolean
}

/** Files from this machine. Dropping and pasting do the same: `useFileDrop`. */
export function FilePicker({ onFiles, look = 'icon', label, disabled }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const name = label ?? t('ui.attachFiles')
  return (
    <>
      {look === 'icon' ? (
        <IconButton icon={Paperclip} label={name} onClick={() => input.current?.click()} disabled={disabled ?? false} />
      ) : (
        <Button icon={Paperclip} onClick={() => input.current?.click()} disabled={disabled ?? false}>
          {name}
        </Button>
      )}
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          // The same file may be chosen again after it was removed.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Spread it on the element that accepts dropped or pasted files. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  const take = (files: File[]) => {
    if (files.length === 0) return
    onFiles(files)
    announce(t('ui.filesAdded', { count: files.length }))
  }
  return {
    className: isOver ? 'drop-area over' : 'drop-area',
    'data-drop': t('ui.dropHere'),
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      setIsOver(false)
      // A field that shows pictures has taken them.
      if (event.defaultPrevented) return
      event.preventDefault()
      take([...event.dataTransfer.files])
    },
    onPaste(event: ClipboardEvent) {
      const files = pastedFiles(event.clipboardData)
      if (files.length === 0 || event.defaultPrevented) return
      event.preventDefault()
      take(files)
    }
  }
}

const faultKeys = {
  tooLarge: 'ui.fileTooLarge',
  empty: 'ui.fileEmpty',
  kind: 'ui.fileKind',
  tooMany: 'ui.filesTooMany'
} as const satisfies Record<FileFault, string>

interface FileTileProps {
  file: File
  place: number
  limits: FileLimits | undefined
  progress: number | undefined
  onRemove: ((file: File) => void) | undefined
}

function FileTile({ file, place, limits, progress, onRemove }: FileTileProps) {
  const thumbnail = useThumbnail(file)
  const refusal = refusalText(file, place, limits)
  return (
    <AttachmentTile
      name={file.name}
      size={file.size}
      type={file.type}
      thumbnail={thumbnail}
      progress={refusal ? undefined : progress}
      refusal={refusal}
      onRemove={onRemove && (() => onRemove(file))}
    />
  )
}

function useThumbnail(file: File): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}

function progressWords(name: string, progress: number): ReactNode {
  const percent = Math.round(progress * 100)
  return (
    <>
      <progress value={percent} max={100} aria-label={name} />
      {percent} %
    </>
  )
}

function iconOf(type: string, name: string): Icon {
  if (type.startsWith('image/')) return Image
  if (type.startsWith('video/')) return Film
  return type.startsWith('text/') || /\.(pdf|docx?|odt|rtf|csv|xlsx?)$/i.test(name) ? FileText : AnyFile
}
