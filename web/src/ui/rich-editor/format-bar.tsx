import {
  Bold,
  Code,
  FileText,
  Heading,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListOrdered,
  PenLine,
  Quote,
  Trash2,
  Unlink
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'
import { addressOf } from '../../lib/safe-links.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../button.tsx'
import type { Icon } from '../icon.tsx'
import type { Format } from './commands.ts'
import './format-bar.css'

/** What the bar asks for in its one line. */
export type Asking = { what: 'link'; href: string } | { what: 'description'; alt: string }

interface FormatBarProps {
  ref?: Ref<HTMLDivElement>
  className: string
  style?: { left: number; top: number } | undefined
  formats: ReadonlySet<Format>
  isLink: boolean
  /** A picture is chosen: the bar is about it. */
  isPicture: boolean
  asking: Asking | undefined
  onFormat(format: Format): void
  onLink(): void
  /** Pictures from this machine; left out where none can be added. */
  onPictures?: ((files: File[]) => void) | undefined
  /** Of the chosen picture; left out where the bar is never about one. */
  onDescribe?(): void
  onMakeFile?(): void
  onRemovePicture?(): void
  /** The address of a link that somebody means who typed this; by default only those of other sites. */
  readAddress?: ((typed: string) => string | undefined) | undefined
  onAnswer(text: string | undefined): void
  /** Esc: back to the text. */
  onLeave(): void
  children?: ReactNode
}

const formats: { format: Format; icon: Icon; key: string }[] = [
  { format: 'bold', icon: Bold, key: 'Ctrl b' },
  { format: 'italic', icon: Italic, key: 'Ctrl i' },
  { format: 'list', icon: List, key: 'Ctrl Shift 8' },
  { format: 'numbered', icon: ListOrdered, key: 'Ctrl Shift 7' },
  { format: 'quote', icon: Quote, key: 'Ctrl Shift 9' },
  { format: 'code', icon: Code, key: 'Ctrl e' },
  { format: 'heading', icon: Heading, key: '' }
]

/** The toolbar of a formatted text. Arrows move within it; the text keeps the focus while it is pressed by a pointer. */
export function FormatBar(props: FormatBarProps) {
  const { ref, className, style, isPicture, asking, readAddress, onAnswer, onLeave } = props
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onLeave()
      return
    }
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (at < 0 || step === undefined) return
    event.preventDefault()
    buttons.at((at + step * (document.dir === 'rtl' ? -1 : 1)) % buttons.length)?.focus()
  }
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label={isPicture ? t('format.picture') : t('format.formatting')}
      className={className}
      style={style}
      onKeyDown={onKeyDown}
      onMouseDown={event => {
        // The selection in the text stays.
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      }}
    >
      {asking ? (
        <Question asking={asking} readAddress={readAddress} onAnswer={onAnswer} />
      ) : isPicture ? (
        <PictureButtons {...props} />
      ) : (
        <FormatButtons {...props} />
      )}
    </div>
  )
}

function FormatButtons({ formats: has, isLink, onFormat, onLink, onPictures, children }: FormatBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const button = ({ format, icon, key }: (typeof formats)[number], at: number) => (
    <IconButton
      key={format}
      icon={icon}
      label={t(`format.${format}`)}
      pressed={has.has(format)}
      {...(key && { shortcut: key })}
      {...(at > 0 && { tabIndex: -1 })}
      onClick={() => onFormat(format)}
    />
  )
  return (
    <>
      {formats.slice(0, 2).map(button)}
      <IconButton
        icon={Link2}
        label={t('format.link')}
        shortcut="Ctrl Shift k"
        pressed={isLink}
        tabIndex={-1}
        onClick={onLink}
      />
      <i aria-hidden />
      {formats.slice(2).map((one, at) => button(one, at + 2))}
      {onPictures && (
        <>
          <IconButton
            icon={ImagePlus}
            label={t('format.addPicture')}
            tabIndex={-1}
            onClick={() => input.current?.click()}
          />
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            tabIndex={-1}
            aria-hidden
            onChange={event => {
              onPictures([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </>
      )}
      {children}
    </>
  )
}

function PictureButtons({ onDescribe, onMakeFile, onRemovePicture }: FormatBarProps) {
  return (
    <>
      <IconButton icon={PenLine} label={t('format.describe')} onClick={onDescribe} />
      <IconButton icon={FileText} label={t('format.makeFile')} tabIndex={-1} onClick={onMakeFile} />
      <IconButton icon={Trash2} label={t('format.removePicture')} tabIndex={-1} onClick={onRemovePicture} />
    </>
  )
}

function Question({
  asking,
  readAddress = addressOf,
  onAnswer
}: Pick<FormatBarProps, 'readAddress' | 'onAnswer'> & { asking: Asking }) {
  const input = useRef<HTMLInputElement>(null)
  const [isBad, setBad] = useState(false)
  const isLink = asking.what === 'link'
  useLayoutEffect(() => input.current?.select(), [])
  function answer() {
    const typed = input.current!.value.trim()
    if (!isLink) return onAnswer(typed)
    const href = readAddress(typed)
    if (href) onAnswer(href)
    else setBad(true)
  }
  return (
    <>
      <input
        ref={input}
        className="input"
        type="text"
        inputMode={isLink ? 'url' : 'text'}
        autoComplete="off"
        spellCheck={!isLink}
        maxLength={2000}
        aria-label={isLink ? t('format.address') : t('format.description')}
        aria-invalid={isBad || undefined}
        placeholder={isLink ? 'https://' : t('format.description')}
        defaultValue={isLink ? asking.href : asking.alt}
        onChange={() => setBad(false)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // The form around the field would be sent.
          event.preventDefault()
          event.stopPropagation()
          answer()
        }}
      />
      <button type="button" className="btn sm" onClick={answer}>
        {t('format.done')}
      </button>
      {isLink && asking.href && (
        <IconButton icon={Unlink} label={t('format.removeLink')} onClick={() => onAnswer(undefined)} />
      )}
      {isBad && (
        <span className="bad" role="alert">
          {t('format.noAddress')}
        </span>
      )}
    </>
  )
}
