import { useFileLimits } from '../../app/file-limits.ts'
import { t } from '../../lib/strings.ts'
import { FileList, FilePicker, useFileDrop } from '../../ui/attachments.tsx'

/** Files that go with the first message, by picker, drop or paste. */
export function NewTicketFiles({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  const limits = useFileLimits()
  const add = (added: File[]) => onChange([...files, ...added])
  const drop = useFileDrop(add)
  return (
    <div {...drop}>
      <FileList files={files} limits={limits} onRemove={file => onChange(files.filter(other => other !== file))} />
      <FilePicker look="button" label={t('clients.attach')} onFiles={add} />
    </div>
  )
}
