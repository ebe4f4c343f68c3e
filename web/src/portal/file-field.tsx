import { type ReactNode, useId } from 'react'
import { useFileLimits } from '../app/file-limits.ts'
import { type FileLimits, sizeText } from '../lib/files.ts'
import { t } from '../lib/strings.ts'
import { FileList, FilePicker, refusalText, useFileDrop } from '../ui/attachments.tsx'
import styles from './file-field.module.css'

interface FileFieldProps {
  files: File[]
  /** The upload progress from 0 to 1. */
  progress: number | undefined
  isBusy: boolean
  onChange(files: File[]): void
}

/** Files of a form: chosen, dropped anywhere in it, or pasted. */
export function FileField({ files, progress, isBusy, onChange }: FileFieldProps) {
  const id = useId()
  const limits = useFileLimits()
  return (
    <fieldset className={styles.field} aria-labelledby={id}>
      <p className={styles.label}>
        <span id={id}>{t('portal-ticket.files')}</span>
        <span className={styles.hint}>
          {t('portal-ticket.filesHint', {
            count: limits.count,
            // "25 MB" is what people call 25 × 1024 × 1024 bytes.
            size: sizeText(limits.bytes < 1024 ** 2 ? limits.bytes : Math.floor(limits.bytes / 1024 ** 2) * 1e6)
          })}
        </span>
      </p>
      <div className={styles.drop}>
        <span>{t('portal-ticket.dropFiles')}</span>
        <FilePicker
          look="button"
          label={t('portal-ticket.chooseFiles')}
          disabled={isBusy}
          onFiles={more => onChange([...files, ...more])}
        />
      </div>
      <ChosenFiles files={files} progress={progress} isBusy={isBusy} onChange={onChange} />
    </fieldset>
  )
}

/** The files to send, each with its progress or the reason for its refusal. */
export function ChosenFiles({ files, progress, isBusy, onChange }: FileFieldProps) {
  const limits = useFileLimits()
  return (
    <FileList
      files={files}
      limits={limits}
      progress={progress}
      onRemove={isBusy ? undefined : file => onChange(files.filter(other => other !== file))}
    />
  )
}

/** Accepts dropped and pasted files. */
export function DropArea({ onFiles, children }: { onFiles(files: File[]): void; children: ReactNode }) {
  const drop = useFileDrop(onFiles)
  return <div {...drop}>{children}</div>
}

/** Whether one of them would be refused. */
export function areRefused(files: File[], limits: FileLimits): boolean {
  return files.some((file, place) => refusalText(file, place, limits) !== undefined)
}
